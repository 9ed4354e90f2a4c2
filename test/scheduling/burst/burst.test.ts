import { describe, expect, it } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { BurstRule } from "../../../src/model/lab/services.ts";
import { WaitReasonCode } from "../../../src/model/reasons.ts";
import { NodeStateCode } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { labPool } from "../../schedulers/policyDocs.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";

function burstWorld(text: string, unborn: readonly number[], rule: Partial<BurstRule> = {}): World {
  return groupsWorld(text, [{ nodes: unborn, ...rule }]);
}

/** Several groups of nodes that can be rented. */
function groupsWorld(
  text: string,
  groups: readonly (Partial<BurstRule> & Pick<BurstRule, "nodes">)[],
): World {
  const unborn = groups.flatMap(({ nodes }) => nodes);
  const world = worldFromText(text, { unborn, pools: [labPool({ backfill: "easy" })] });
  const burst = groups.map(
    (rule): BurstRule => ({
      startupMs: 3_000,
      idleTimeoutMs: 4_000,
      afterWaitMs: 2_000,
      noticeMs: 1_000,
      ...rule,
    }),
  );
  return { ...world, burst };
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

  it("of several groups come together for a job that none of the groups would hold", () => {
    const world = groupsWorld("3 nodes x 4 gpus\n0s A 3x4 5s", [{ nodes: [1] }, { nodes: [2] }]);
    expect(runsOf(world, runAll(world).chunk, "A")).toEqual([[5_000, 10_000]]);
  });

  it("of several groups come once for a job", () => {
    const world = groupsWorld("3 nodes x 4 gpus\n0s A 1x4 30s\n0s B 1x4 5s", [
      { nodes: [1] },
      { nodes: [2] },
    ]);
    const { kind } = runAll(world).chunk.decisions;
    expect([...kind].filter((code) => code === DecisionKindCode.openNode)).toHaveLength(1);
  });

  it("of a group that rents later come when the job has waited for that", () => {
    const world = groupsWorld("3 nodes x 4 gpus\n0s A 2x4 5s\n1s B 2x4 5s\n1s C 3x4 5s", [
      { nodes: [1] },
      { nodes: [2], afterWaitMs: 20_000 },
    ]);
    // A gets the first of the two at 2 s; C waits for both, 20 s from 1 s on.
    expect(runsOf(world, runAll(world).chunk, "C")[0]![0]).toBe(24_000);
  });

  it("stay, though idle, while others boot that the same job waits for", () => {
    const world = groupsWorld("3 nodes x 4 gpus\n0s A 3x4 5s", [
      { nodes: [1], startupMs: 1_000, idleTimeoutMs: 0 },
      { nodes: [2], startupMs: 9_000 },
    ]);
    expect(runsOf(world, runAll(world).chunk, "A")).toEqual([[11_000, 16_000]]);
  });

  it("come for a job that stands first although one behind it is placed before it in thought", () => {
    const text = "3 nodes x 4 gpus\n1s A 3x3 5s tier 2\n1s B 1x2 5s tier 0";
    const world = worldFromText(text, {
      unborn: [2],
      pools: [labPool({ order: "fcfs", backfill: "none" })],
    });
    const rule = {
      nodes: [2],
      startupMs: 3_000,
      idleTimeoutMs: 4_000,
      afterWaitMs: 2_000,
      noticeMs: 1_000,
    };
    expect(runsOf(world, runAll({ ...world, burst: [rule] }).chunk, "A")).toEqual([
      [6_000, 11_000],
    ]);
  });

  it("are looked for again when something has happened since the last look", () => {
    const world = burstWorld("2 nodes x 4 gpus\n0s A 1x4 15s\n0s B 2x4 5s", [1], {
      afterWaitMs: 10_000,
    });
    // At 10 s all nodes would not hold B; A ends at 15 s; the next look is at 20 s.
    expect(runsOf(world, runAll(world).chunk, "B")).toEqual([[23_000, 28_000]]);
  });

  it("are all that the pool's own placement needs to find a place, not only those of the place", () => {
    // Beside one more node alone, members that need CPUs come after those that do not, and find them taken.
    const world = documentWorld({
      version: 1,
      cluster: {
        fabric: { nodesPerLeaf: 3 },
        nodeGroups: [
          { id: "n", count: 4, gpus: 4, cpus: 8 },
          { id: "r", count: 3, gpus: 4, burst: { startupMs: 2_000, idleTimeoutMs: 30_000 } },
        ],
      },
      pools: [{ id: "all", policy: { settings: { placement: "sameLeaf" } } }],
      workload: {
        jobs: [
          {
            id: "A",
            submitMs: 0,
            workMs: 16_000,
            components: [
              { members: 5 },
              { members: 5, cpusPerMember: 4 },
              { members: 1, gpusPerMember: 4 },
            ],
          },
        ],
      },
    });
    const simulation = new Simulation(world, schedulerOf, { checks: true });
    simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 200 });
    expect(runsOf(world, simulation.takeChunk(), "A")).toEqual([[62_000, 78_000]]);
  });

  it("are rented for those whom shares let start, whatever they were told last", () => {
    const job = (id: string, submitMs: number, workMs: number, members: number) => ({
      id,
      submitMs,
      workMs,
      components: [{ members }],
      gang: members === 1,
    });
    const jobs = [
      job("A", 20_000, 194_000, 3),
      job("B", 24_000, 42_000, 1),
      job("C", 37_000, 108_000, 1),
      job("D", 50_000, 0, 1),
    ];
    const burst = { startupMs: 9_000, idleTimeoutMs: 0, afterWaitMs: 10_000 };
    // A pass that may end early asks about everybody; the other leaves out those for whom nothing is free.
    const runs = [{}, { testDepth: 1_000_000 }].map((depth) => {
      const world = documentWorld({
        version: 1,
        cluster: {
          nodeGroups: [
            { id: "n", count: 2, gpus: 2 },
            { id: "r", count: 1, gpus: 2, burst },
          ],
        },
        pools: [
          { id: "all", policy: { settings: { backfill: "skip", quota: "static", ...depth } } },
        ],
        workload: { jobs },
      });
      const { jobIdx, startMs } = runAll(world).chunk.runs;
      return Array.from(jobIdx, (one, i) => `${one} ${startMs[i]}`);
    });
    expect(runs[0]).toEqual(runs[1]);
  });

  it("are not rented behind as many jobs that cannot start as a pass tests", () => {
    const job = (id: string, submitMs: number, members: number) => ({
      id,
      submitMs,
      workMs: 20_000,
      components: [{ members, gpusPerMember: 4 }],
    });
    const burst = { startupMs: 2_000, idleTimeoutMs: 0, afterWaitMs: 0 };
    const starts = (settings: Readonly<Record<string, string | number>>) => {
      const world = documentWorld({
        version: 1,
        cluster: {
          nodeGroups: [
            { id: "n", count: 3, gpus: 4 },
            { id: "r", count: 2, gpus: 4, burst },
          ],
        },
        pools: [{ id: "all", policy: { settings } }],
        // The head wants all five nodes; the other what is there and both rented ones.
        workload: { jobs: [job("H", 2_000, 5), job("B", 3_000, 4)] },
        interventions: [{ kind: "fail", atMs: 1_000, nodes: ["n-002"] }],
      });
      const simulation = new Simulation(world, schedulerOf, { checks: true });
      simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 1_000 });
      expect(simulation.done).toBe(true);
      const { jobIdx, startMs } = simulation.takeChunk().runs;
      return Array.from(jobIdx, (one, i) => `${"HB"[one]} ${startMs[i]! / 1_000}s`);
    };
    expect(starts({ backfill: "skip", testDepth: 1 })).toEqual([]);
    expect(starts({ backfill: "none" })).toEqual([]);
    expect(starts({ backfill: "skip", testDepth: 2 })).toEqual(["B 5s"]);
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
