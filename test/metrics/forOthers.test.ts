/** What running jobs give up for others, whichever way the policy takes it. */
import { describe, expect, test } from "vitest";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { ran } from "../schedulers/fields/ran.ts";
import { doc, job, machine, pools } from "../schedulers/fields/words.ts";

const MINUTE_SEC = 60;

function counts(document: ScenarioInput): number[] {
  const { preemptions, suspensions, shrinks } = ran(document).metrics;
  return [preemptions, suspensions, shrinks];
}

describe("counts of preemptions, suspensions and shrinks", () => {
  // Three jobs of half an hour share the devices, which change hands at rounds.
  const taken = [0, 1, 2].map((at) => job(`A${at}`, at, 30 * MINUTE_SEC, { gpus: 8 }));
  test.each(["leastAttained", "tiresias", "themis"])(
    "rounds of %s stop runs for others",
    (order) => {
      const settings = { order, roundMs: 360_000, attainedHours: 0.5 };
      const run = ran(doc(machine(1, 8), taken, { pools: pools(settings) }));
      const { preemptions, evictions } = run.metrics;
      expect(preemptions).toBeGreaterThan(0);
      expect(evictions).toEqual({ preempted: preemptions });
    },
  );

  const low = job("L", 0, 30 * MINUTE_SEC, { gpus: 8, tier: "low" });
  const urgent = job("U", 300, 5 * MINUTE_SEC, { gpus: 8, tier: "critical" });
  const under = (mode: string): ScenarioInput =>
    doc(machine(1, 8), [low, urgent], {
      pools: pools({ order: "tiers", preemption: mode }),
    });

  test("a run that is ended and one that is suspended are counted apart", () => {
    expect(counts(under("requeue"))).toEqual([1, 0, 0]);
    expect(counts(under("suspend"))).toEqual([0, 1, 0]);
  });

  test("an elastic job that grew and gives back is shrunk once", () => {
    const components = [{ members: 4, gpusPerMember: 1 }];
    const elastic = { minMembers: 4, maxMembers: 8, restart: "none" } as const;
    const grown = job("E", 0, 60 * MINUTE_SEC, { components, elastic });
    const later = job("B", 20 * MINUTE_SEC, MINUTE_SEC, { gpus: 4 });
    const settings = { elasticEveryMs: 600_000, order: "fcfs" };
    expect(counts(doc(machine(1, 8), [grown, later], { pools: pools(settings) }))).toEqual([
      0, 0, 1,
    ]);
  });

  test("kube-scheduler evicts single pods: of jobs that run and of one that has not all its pods, and what the former did is lost work", () => {
    const pods = (id: string, submitMs: number, members: number, gpusPerMember: number) => ({
      id,
      submitMs,
      workMs: 600_000,
      tier: id === "H" ? "high" : "low",
      components: [{ members, gpusPerMember }],
    });
    const run = ran({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
      pools: [{ id: "all", policy: { preset: "kube-scheduler" } }],
      workload: { jobs: [pods("A", 0, 5, 4), pods("B", 0, 5, 4), pods("H", 120_000, 1, 8)] },
    } as ScenarioInput);
    const { preemptions, evictions, shrinks, gpuHours } = run.metrics;
    expect({ preemptions, evictions, shrinks }).toEqual({
      preemptions: 0,
      evictions: { preempted: 2 },
      shrinks: 2,
    });
    expect(gpuHours.useful).toBeCloseTo((48 * 600) / 3_600, 6);
    // A ran with 20 GPUs from its start until the grace period of 30 s was over.
    expect(gpuHours.lostWork).toBeCloseTo((20 * 150) / 3_600, 1);
  });
});
