/** The decision log as a numbered list, and what filters let through, against a plain scan of all rows. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { type Chunk, DecisionKindCode } from "../../src/record/shapes.ts";
import { filterSteps, NOTHING_PICKED, type Picked } from "../../src/timeline/decisionFilter.ts";
import {
  DecisionPlaces,
  EVERY_DECISION,
  matchDecisionsSteps,
} from "../../src/timeline/decisionIndex.ts";
import { fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const HOUR = 3_600_000;
const jobs = Array.from({ length: 6 }, (_, order) => ({
  submitMs: order * HOUR,
  gpus: order % 2 === 0 ? 16 : 8,
  workMs: 2 * HOUR,
  limitMs: 3 * HOUR,
  tier: order % 3,
  name: order === 4 ? "llama" : `job-${order}`,
}));
const stage = fixtureStage(2, jobs);
const future = fixtureFuture(stage, 3);

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const tierAt = (jobIdx: number) => stage.jobs.at.tier[jobIdx]!;

function find(picked: Partial<Picked>) {
  const places = new DecisionPlaces(future.chunks);
  const filter = finish(filterSteps({ ...NOTHING_PICKED, ...picked }, stage, future, tierAt, 0));
  return finish(matchDecisionsSteps(places, filter));
}

function entries(matches: ReturnType<typeof find>) {
  return Array.from({ length: matches.count }, (_, row) => {
    const entry = matches.places.entry(matches.decision(row));
    expect(entry).not.toBeNull();
    return entry!;
  });
}

describe("the log of a run", () => {
  test("has every decision once, in order of time, each under the number that leads back to its row", () => {
    const all = find({});
    const rows = future.chunks.reduce((sum, chunk) => sum + chunk.decisions.atMs.length, 0);
    expect(all.count).toBe(rows);
    expect(rows).toBeGreaterThan(10);
    const times = entries(all).map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (let row = 0; row < all.count; row++) expect(all.rowOf(all.decision(row))).toBe(row);
  });

  test("a number outside of it is no decision", () => {
    const places = new DecisionPlaces(future.chunks);
    expect(places.entry(-1)).toBeNull();
    expect(places.entry(places.count)).toBeNull();
    expect(new DecisionPlaces([]).upTo(5)).toBe(0);
  });

  test("the last row at a time is the last one that is not later", () => {
    for (const picked of [{}, { kinds: "starts" }, { tier: 1 }] as const) {
      const found = find(picked);
      const times = entries(found).map(({ atMs }) => atMs);
      for (let atMs = -HOUR; atMs < 16 * HOUR; atMs += HOUR / 2)
        expect(found.lastRow(atMs)).toBe(times.filter((time) => time <= atMs).length - 1);
    }
  });
});

describe("a filter", () => {
  test("of a kind lets the starts through, one for each run", () => {
    const starts = entries(find({ kinds: "starts" }));
    expect(starts.map(({ jobIdx }) => jobIdx).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(starts.every(({ kind }) => kind === DecisionKindCode.start)).toBe(true);
  });

  test("of a reason lets through what has it, and the reasons are counted as if any would do", () => {
    const waits = find({ kinds: "waits" });
    const [first] = waits.reasons;
    const one = find({ kinds: "waits", reason: first! });
    expect(one.count).toBe(first!.count);
    expect(one.reasons).toEqual(waits.reasons);
    expect(entries(one).every(({ reason }) => reason === first!.code)).toBe(true);
    expect(waits.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(waits.count);
  });

  test("a start and a wait with the same number of a reason are not taken for each other", () => {
    const code = WaitReasonCode.resources;
    const waits = entries(find({ reason: { family: "wait", code } }));
    expect(waits.every(({ kind }) => kind === DecisionKindCode.wait)).toBe(true);
  });

  test("of words finds jobs by name, of node: those that held devices of it", () => {
    expect(new Set(entries(find({ search: "llama" })).map(({ jobIdx }) => jobIdx))).toEqual(
      new Set([4]),
    );
    const onNode = new Set(entries(find({ search: "node:node-01" })).map(({ jobIdx }) => jobIdx));
    expect(onNode.size).toBeGreaterThan(0);
    expect(find({ search: "node:elsewhere" }).count).toBe(0);
  });

  test("one job beside words keeps only what both let through", () => {
    expect(find({ search: "llama", jobIdx: 3 }).count).toBe(0);
    expect(find({ search: "llama", jobIdx: 4 }).count).toBe(find({ jobIdx: 4 }).count);
  });

  test("a device's failure is found under its node, and not under a job of the same number", () => {
    const decisions = {
      atMs: Float64Array.of(1, 2, 3),
      kind: Uint8Array.of(
        DecisionKindCode.failDevice,
        DecisionKindCode.closeNode,
        DecisionKindCode.round,
      ),
      reason: new Uint8Array(3),
      jobIdx: Uint32Array.of(9, 1, 0),
      value: new Float64Array(3),
    };
    const chunk = { ...future.chunks[0]!, decisions } as Chunk;
    const places = new DecisionPlaces([chunk]);
    const under = (search: string, jobIdx = -1) => {
      const picked = { ...NOTHING_PICKED, search, jobIdx };
      const filter = finish(filterSteps(picked, stage, { chunks: [], open: null }, tierAt, 0));
      return finish(matchDecisionsSteps(places, filter)).count;
    };
    expect(under("node:node-02")).toBe(2);
    expect(under("node:node-01")).toBe(0);
    expect(under("", 1)).toBe(0);
  });

  test("lets through what a plain look at each row would, whatever is picked together", () => {
    const all = entries(find({}));
    fc.assert(
      fc.property(
        fc.constantFrom(null, "starts", "waits", "promises"),
        fc.integer({ min: -1, max: 2 }),
        fc.integer({ min: -1, max: 5 }),
        fc.option(fc.tuple(fc.nat(12), fc.nat(12)), { nil: null }),
        (kinds, tier, jobIdx, hours) => {
          const range = hours && { fromMs: hours[0] * HOUR, toMs: (hours[0] + hours[1]) * HOUR };
          const found = entries(find({ kinds, tier, jobIdx, range }));
          const kindsOf = { starts: ["start"], waits: ["wait"], promises: ["plan"] } as const;
          const wanted = all.filter(
            (entry) =>
              (kinds === null || kindsOf[kinds].some((k) => DecisionKindCode[k] === entry.kind)) &&
              (tier < 0 || tierAt(entry.jobIdx) === tier) &&
              (jobIdx < 0 || entry.jobIdx === jobIdx) &&
              (range === null || (entry.atMs >= range.fromMs && entry.atMs <= range.toMs)),
          );
          expect(found).toEqual(wanted);
        },
      ),
      { endOnFailure: true },
    );
  });

  test("a million decisions are gone through in steps, none of which takes many rows", () => {
    const rows = 1_000_000;
    const decisions = {
      atMs: Float64Array.from({ length: rows }, (_, row) => row),
      kind: new Uint8Array(rows).fill(DecisionKindCode.wait),
      reason: new Uint8Array(rows),
      jobIdx: Uint32Array.from({ length: rows }, (_, row) => row % 6),
      value: new Float64Array(rows),
    };
    const places = new DecisionPlaces([{ ...future.chunks[0]!, decisions } as Chunk]);
    const filter = { ...EVERY_DECISION, jobs: Uint8Array.of(0, 0, 1, 0, 0, 0) };
    const steps = matchDecisionsSteps(places, filter);
    let count = 0;
    let step = steps.next();
    while (!step.done) {
      count++;
      step = steps.next();
    }
    expect(count).toBeGreaterThan(60);
    expect(step.value.count).toBe(166_667);
    expect(step.value.decision(1)).toBe(8);
    expect(step.value.lastRow(500_000)).toBe(83_333);
  });
});
