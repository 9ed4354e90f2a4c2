import { describe, expect, it } from "vitest";
import type { BurstRule } from "../../../src/model/lab/services.ts";
import { WaitReasonCode } from "../../../src/model/reasons.ts";
import { NodeStateCode } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { labPool } from "../../schedulers/policyDocs.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";

function burstWorld(text: string, unborn: readonly number[], rule: Partial<BurstRule> = {}): World {
  const world = worldFromText(text, { unborn, pools: [labPool({ backfill: "easy" })] });
  const burst: BurstRule = {
    nodes: unborn,
    startupMs: 3_000,
    idleTimeoutMs: 4_000,
    afterWaitMs: 2_000,
    noticeMs: 1_000,
    ...rule,
  };
  return { ...world, burst: [burst] };
}

describe("rented nodes", () => {
  it("come when a job has waited long enough, after their start-up, and go when they have stood idle", () => {
    const world = burstWorld("2 nodes x 4 gpus\n0s A 1x4 30s\n1s B 1x4 5s", [1]);
    const { chunk, simulation } = runAll(world);
    // B waits from 1 s; 3 s: rented; 6 s: there; 11 s: done; 15 s: given back.
    expect(runsOf(world, chunk, "B")).toEqual([[6_000, 11_000]]);
    const spans = [...chunk.nodeSpans.state].map((state, i) => [
      state,
      chunk.nodeSpans.startMs[i],
      chunk.nodeSpans.endMs[i],
    ]);
    expect(spans).toEqual([[NodeStateCode.unborn, 0, 6_000]]);
    expect(simulation.openSet().nodeSpans.startMs[0]).toBe(15_000);
    const reasons = [...chunk.decisions.kind].flatMap((kind, i) =>
      kind === DecisionKindCode.wait && chunk.decisions.jobIdx[i] === 1
        ? [[chunk.decisions.atMs[i], chunk.decisions.reason[i]]]
        : [],
    );
    expect(reasons).toContainEqual([3_000, WaitReasonCode.booting]);
    expect(simulation.explain(1, 4_000)?.reason).toBe(WaitReasonCode.booting);
  });

  it("are as many as the jobs need together, and none for a job that all of them would not hold", () => {
    const world = burstWorld("4 nodes x 4 gpus\n0s A 1x4 30s\n0s B 3x4 5s\n0s C 4x4 5s", [1, 2, 3]);
    const { chunk } = runAll(world);
    expect(runsOf(world, chunk, "B")).toEqual([[5_000, 10_000]]);
    // The four nodes are there together only when A has ended: the three were given back, and came again.
    expect(runsOf(world, chunk, "C")[0]![0]).toBeGreaterThanOrEqual(30_000);
  });

  it("are not rented for a job that starts in time without", () => {
    const world = burstWorld("2 nodes x 4 gpus\n0s A 1x4 2s\n1s B 1x4 5s", [1]);
    const { chunk } = runAll(world);
    expect(runsOf(world, chunk, "B")).toEqual([[2_000, 7_000]]);
    expect(chunk.decisions.kind).not.toContain(DecisionKindCode.openNode);
  });

  it("are taken back by the cloud: what runs there stops within the notice and is queued again", () => {
    const takenMs = [Float64Array.of(4_000, 9_000)];
    const world = burstWorld("2 nodes x 4 gpus\n0s A 1x4 12s\n1s B 1x4 5s", [1], { takenMs });
    const { chunk } = runAll(world);
    // Rented at 3 s, there at 6 s; the cloud says at 8 s that it takes it at 9 s. Rented again at 11 s, when B has waited once more.
    expect(runsOf(world, chunk, "B")).toEqual([
      [6_000, 9_000],
      [12_000, 17_000],
    ]);
  });

  it("give the same run with snapshots, rewinds and slices", () => {
    const world = burstWorld(
      "4 nodes x 4 gpus\n0s A 1x4 30s\n1s B 1x4 5s\n2s C 2x4 9s\n20s D 1x2 7s\n21s E 3x4 7s",
      [1, 2, 3],
      { takenMs: [Float64Array.of(10_500), Float64Array.of(), Float64Array.of(9_000, 30_000)] },
    );
    sameWithSnapshots(world);
  });
});
