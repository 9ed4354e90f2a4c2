// What crosses to the page on an edit, counted in rows and bytes, and that the page has the same stage as if all of it had crossed.
import { expect, test } from "vitest";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { joinStage } from "../../src/store/stageParts.ts";
import { stageBuffers, stageOf } from "../../src/worker/stage.ts";
import { expand } from "../../src/workload/expand.ts";
import { Expander } from "../../src/workload/expander.ts";

const HOUR_MS = 3_600_000;
const month = libraryScenario("month-128")!;

function edited(interventions: readonly object[]): Scenario {
  const read = readScenario({
    ...month,
    horizonMs: 30 * HOUR_MS,
    interventions: [...month.interventions, ...interventions],
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const drain = { kind: "drain", atMs: 9 * HOUR_MS, nodes: ["h100-004"] };
const inject = (id: string) => ({
  kind: "inject",
  atMs: 10 * HOUR_MS,
  job: { id, name: "by hand", gpus: 3, workMs: HOUR_MS, limitMs: HOUR_MS },
});

function bytesOf(stage: ReturnType<typeof stageOf>): number {
  return stageBuffers(stage).reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

function must<T>(outcome: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

test("an edit that touches no job sends no byte of jobs and none of the cluster; an injected job sends one row", () => {
  const expander = new Expander();
  const before = must(expander.expand(edited([]), undefined, false));
  const first = stageOf(before, 1, []);
  expect(bytesOf(first)).toBeGreaterThan(60 * before.jobs.count);

  const drained = must(expander.expand(edited([drain]), undefined, true));
  const second = stageOf(drained, 2, [], { world: before, sameDraft: true });
  expect([second.jobs, second.cluster, bytesOf(second)]).toEqual([null, null, 0]);

  const more = must(expander.expand(edited([drain, inject("a")]), undefined, true));
  const third = stageOf(more, 3, [], { world: drained, sameDraft: true });
  expect(third.jobs?.keepJobs).toBe(before.jobs.count);
  expect(third.jobs?.table.ids.texts).toEqual({
    keys: Uint32Array.of(before.jobs.count),
    ends: Uint32Array.of(1),
    text: "a",
  });
  expect(bytesOf(third)).toBeLessThan(150);
});

test("columns of jobs that say the same are one array in the worker, cross once and stay one on the page", () => {
  const expander = new Expander();
  const world = must(expander.expand(edited([]), undefined, false));
  const { at, components } = world.jobs;
  expect(at.beginMs).toBe(at.submitMs);
  expect(components.shareMilli.some((share) => share !== 0)).toBe(false);
  const shown = joinStage(stageOf(world, 1, []), null);
  expect(shown.jobs.at.beginMs).toBe(shown.jobs.at.submitMs);
  expect(shown.jobs.at.submitMs).not.toBe(at.submitMs);

  // A job that begins later than it is submitted parts them.
  const later = { ...inject("a"), job: { ...inject("a").job, beginMs: 20 * HOUR_MS } };
  const more = must(expander.expand(edited([later]), undefined, true));
  const joined = joinStage(stageOf(more, 2, [], { world, sameDraft: true }), shown);
  expect(joined.jobs.at.beginMs).not.toBe(joined.jobs.at.submitMs);
  expect(joined.jobs.at.beginMs).toEqual(more.jobs.at.beginMs);
});

test("the page puts together the same stage as if all of it had been sent", () => {
  const expander = new Expander();
  const chain = [
    [],
    [drain],
    [inject("a")],
    [inject("a"), inject("b")],
    [inject("b")],
    [drain],
    [],
  ];
  let shown: ReturnType<typeof joinStage> | null = null;
  let sent: ReturnType<typeof must<Parameters<typeof stageOf>[0]>> | null = null;
  for (const [step, interventions] of chain.entries()) {
    const world = must(expander.expand(edited(interventions), undefined, step > 0));
    shown = joinStage(stageOf(world, step, [], sent && { world: sent, sameDraft: true }), shown);
    sent = world;
    const whole = joinStage(stageOf(must(expand(edited(interventions))), step, []), null);
    expect(withMaps(shown), `step ${step}`).toEqual(withMaps(whole));
  }
});

test("jobs of another document are sent whole, though their first rows may be equal", () => {
  const a = must(expand(edited([])));
  const b = must(expand(edited([inject("a")])));
  expect(stageOf(b, 2, [], { world: a, sameDraft: false }).jobs?.keepJobs).toBe(0);
  const nothing = stageOf(a, 3, [], { world: a, sameDraft: true });
  expect(() => joinStage(nothing, null)).toThrow("never sent");
});

/** Names as maps of their own, whatever they lie in. */
function withMaps(stage: ReturnType<typeof joinStage>): object {
  const { ids, names } = stage.jobs;
  const jobs = { ...stage.jobs, ids: ids.numbers, names: names.numbers };
  return { ...stage, jobs, texts: [new Map(ids.texts), new Map(names.texts)] };
}
