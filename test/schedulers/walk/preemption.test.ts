/** Preemption by whole jobs, through the engine: what each mode does to its victims, who is chosen, and who is safe. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import { addWalk } from "../../../src/schedulers/lab/lab.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { draw, type Outcome, runWorld } from "../../support/draw.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";
import { jobNamed, worldFromText } from "../../support/world.ts";
import { ran, runs } from "../fields/ran.ts";
import { doc, job, machine, pools } from "../fields/words.ts";
import { labPool } from "../policyDocs.ts";

addWalk(walk);

type Given = Readonly<Record<string, SettingValue>>;

function run(settings: Given, text: string): Outcome {
  return runWorld(worldFromText(text, { pools: [labPool(settings)] }), schedulerOf);
}

function drawn(settings: Given, text: string): string[] {
  return draw(run(settings, text))
    .split("\n")
    .map((line) => line.split(" ")[1]!);
}

const FOUR = `4 gpus
  0s A x2 8s tier 3
  0s B x2 8s tier 3
  3s U x2 4s tier 0`;

describe("what becomes of a victim", () => {
  test("nobody is stopped without preemption", () =>
    expect(drawn({ preemption: "none" }, FOUR)).toEqual(
      ["AAAAAAAAUUUU", "AAAAAAAAUUUU", "BBBBBBBB", "BBBBBBBB"].map((row) => row.padEnd(12, ".")),
    ));

  test("a requeued victim begins anew when there is room", () =>
    expect(drawn({ preemption: "requeue" }, FOUR)).toEqual([
      "AAAUUUUAAAAAAAA",
      "AAAUUUUAAAAAAAA",
      "BBBBBBBB.......",
      "BBBBBBBB.......",
    ]));

  test("a cancelled victim does not come back", () =>
    expect(drawn({ preemption: "cancel" }, FOUR)).toEqual([
      "AAAUUUU.",
      "AAAUUUU.",
      "BBBBBBBB",
      "BBBBBBBB",
    ]));

  test("a suspended victim goes on where it stopped, on the same devices", () =>
    expect(drawn({ preemption: "suspend" }, FOUR)).toEqual([
      "AAAUUUUAAAAA",
      "AAAUUUUAAAAA",
      "BBBBBBBB....",
      "BBBBBBBB....",
    ]));

  test("the record says for whom a victim was suspended", () => {
    const { world, chunks } = run({ preemption: "suspend" }, FOUR);
    const { kind, jobIdx, value } = chunks[0]!.decisions;
    const row = kind.indexOf(DecisionKindCode.suspend);
    expect([jobIdx[row], value[row]]).toEqual([jobNamed(world, "A"), jobNamed(world, "U")]);
  });

  test("with grace the devices stay held until it is over", () =>
    expect(drawn({ preemption: "graceful", graceMs: 2_000 }, FOUR)).toEqual([
      "AAAaaUUUU.......",
      "AAAaaUUUU.......",
      "BBBBBBBBAAAAAAAA",
      "BBBBBBBBAAAAAAAA",
    ]));

  test("the urgent job is promised the end of the grace, on the nodes that become free", () => {
    const nodes = `2 nodes x 2 gpus
      0s A 1x2 8s tier 3
      0s B 1x2 8s tier 3
      3s U 1x2 4s tier 0`;
    const outcome = run({ preemption: "graceful", graceMs: 2_000, victims: "youngest" }, nodes);
    const { world, chunks, simulation } = outcome;
    const jobIdx = jobNamed(world, "U");
    const { decisions } = chunks[0]!;
    const row = decisions.kind.indexOf(DecisionKindCode.plan);
    expect([decisions.atMs[row], decisions.jobIdx[row], decisions.value[row]]).toEqual([
      3_000,
      jobIdx,
      5_000,
    ]);
    const said = simulation.explain(jobIdx, 4_000)!;
    const [first] = draw(outcome)
      .split("\n")
      .map((line) => line.split(" ")[1]!);
    expect(said.plannedMs).toBe(5_000);
    expect(said.plannedNodes).toEqual([first!.includes("U") ? 0 : 1]);
  });

  test("who waits for the completion of others is promised the end of their limits", () => {
    const text = `4 gpus
      0s A x2 8s limit 12s tier 3
      0s B x2 6s limit 7s tier 3
      3s U x4 4s tier 0`;
    const { world, simulation } = run({ preemption: "wait", backfill: "skip" }, text);
    expect(simulation.explain(jobNamed(world, "U"), 4_000)!.plannedMs).toBe(12_000);
  });

  test("waiting for completion keeps the room for the urgent job", () =>
    expect(
      drawn(
        { preemption: "wait", backfill: "skip" },
        `4 gpus
         0s A x2 8s tier 3
         0s B x2 6s tier 3
         3s U x4 4s tier 0
         4s C x2 3s tier 3`,
      ),
    ).toEqual(["AAAAAAAAUUUUCCC", "AAAAAAAAUUUUCCC", "BBBBBB..UUUU...", "BBBBBB..UUUU..."]));
});

test("in strict order nobody passes a job whose victims still end, not even onto another node", () => {
  const text = `2 nodes x 4 gpus
    0s A 1x3 8s tier 3
    0s B 1x3 8s tier 0
    3s U 1x4 4s tier 0
    3s C 1x1 1s tier 1`;
  const startOfC = (backfill: string) =>
    drawn(
      { preemption: "graceful", graceMs: 2_000, backfill, order: "tiers", placement: "spread" },
      text,
    )
      .map((row) => row.indexOf("C"))
      .filter((at) => at >= 0);
  expect(startOfC("skip")).toEqual([3]);
  expect(startOfC("none")).toEqual([5]);
});

test("of equal jobs only the later submitted gives way, and of two at one instant neither", () => {
  const equals = { preemption: "requeue", newerEqual: true, order: "shortest" };
  const second = (atS: number) =>
    drawn(equals, `1 gpus\n0s A x1 9s limit 9s\n${atS}s B x1 5s limit 5s`)[0];
  // B has a device that A, which needs two, could not use; once X has ended, A takes it.
  const passed = (limitS: number) =>
    drawn(
      { ...equals, backfill: "skip" },
      `2 gpus\n0s X x1 3s limit 3s tier 0\n0s A x2 4s limit ${limitS}s\n1s B x1 9s limit 9s`,
    )[1]!.replace(/\.+$/, "");
  expect(passed(4)).toBe(".BBAAAA");
  // B is shorter, so it stands before A in this queue, and keeps it.
  expect(passed(10)).toBe(".BBBBBBBBBAAAA");
  expect(second(0)).toBe("BBBBBAAAAAAAAA");
});

test("two jobs that may preempt each other, with nothing to save, change places a second apart and not within an instant", () => {
  const tier = (id: string, other: string) => ({
    id,
    name: id,
    letter: id[0]!.toUpperCase(),
    mayPreempt: [other],
    preemptMode: "graceful",
    graceMs: 21,
  });
  const read = readScenario({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    tiers: [tier("critical", "high"), tier("high", "critical")],
    workload: {
      jobs: ["critical", "high"].map((id, index) => ({
        id,
        tier: id,
        submitMs: index * 1_000,
        gpus: 4,
        workMs: 5_000,
        checkpoint: { every: "never", costMs: 1, onSignal: true },
      })),
    },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const { metrics } = simulate(read.value, undefined, { checks: true });
  expect(metrics.completed).toBe(2);
  expect(metrics.preemptions).toBeGreaterThan(1);
  expect(metrics.preemptions).toBeLessThan(20);
});

test("single devices are taken at once: a grace is for jobs that go as a whole", () => {
  const first = (settings: Readonly<Record<string, string | number>>) => {
    const low = job("L", 0, 20, {
      nodes: 2,
      gpusPerNode: 1,
      tier: "low",
      collectiveTimeoutMs: 60_000,
    });
    const urgent = job("U", 5, 2, { gpus: 1, tier: "critical" });
    const all = { order: "tiers", preemption: "graceful", graceMs: 3_000, ...settings };
    return runs("U")(ran(doc(machine(2, 1), [low, urgent], { pools: pools(all) })));
  };
  expect(first({ preemptUnit: "job" })).toEqual({ U: "8-10" });
  expect(first({ preemptUnit: "device" })).toEqual({ U: "5-7" });
});

test("a run that a user has told to end is no victim: who comes next waits until it has", () => {
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2 }] },
    pools: [{ id: "all", policy: { settings: { order: "tiers", preemption: "cancel" } } }],
    workload: {
      jobs: [
        { id: "V", submitMs: 0, workMs: 60_000, gpus: 2, tier: "low", hangsOnEndMs: 10_000 },
        { id: "U", submitMs: 3_000, workMs: 5_000, gpus: 2, tier: "critical" },
      ],
    },
    interventions: [{ kind: "requeue", atMs: 2_000, job: "V" }],
  });
  expect(runsOf(world, runAll(world).chunk, "U")).toEqual([[12_000, 17_000]]);
});
