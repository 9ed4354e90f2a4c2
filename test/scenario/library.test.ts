/** What each built-in scenario claims, verified by running it. */
import { describe, expect, test } from "vitest";
import { type SimulationOutcome, simulate } from "../../src/cli/simulate.ts";
import { nodeOfDevice } from "../../src/model/cluster.ts";
import { nameOf } from "../../src/model/jobs.ts";
import { GaugeCode } from "../../src/model/lab/gauges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SPEED_ONE } from "../../src/model/units.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { appendIntervention } from "../../src/scenario/interventions.ts";
import { LIBRARY, libraryEntry, libraryScenario } from "../../src/scenario/library/index.ts";
import { expand } from "../../src/workload/expand.ts";
import { must } from "./scenarios.ts";

interface Ran extends SimulationOutcome {
  readonly chunks: readonly Chunk[];
  /** First start of a job by its id, ms. */
  startOf(id: string): number;
  /** GPUs that nobody holds at a time. */
  freeAt(atMs: number): number;
}

function run(id: string, suggested: boolean): Ran {
  const entry = libraryEntry(id)!;
  const plain = libraryScenario(id)!;
  const scenario = suggested
    ? appendIntervention(plain, completeIntervention(entry.suggest!.intervention))
    : plain;
  const chunks: Chunk[] = [];
  const outcome = simulate(scenario, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const { jobs, cluster } = outcome.world;
  const rows = chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, row) => ({
      jobIdx,
      run: runs.run[row]!,
      startMs: runs.startMs[row]!,
    })),
  );
  const startOf = (name: string) =>
    rows.find((row) => row.run === 1 && nameOf(jobs.ids, row.jobIdx) === name)?.startMs ??
    Number.NaN;
  const freeAt = (atMs: number) =>
    chunks.reduce((free, { rects }) => {
      const held = Array.from(rects.deviceCount, (count, row) =>
        rects.startMs[row]! <= atMs && atMs < rects.endMs[row]! ? count : 0,
      );
      return free - held.reduce((sum, count) => sum + count, 0);
    }, cluster.deviceCount);
  return { ...outcome, chunks, startOf, freeAt };
}

/** Part of the jobs on several nodes whose nodes lie under one leaf. */
function partUnderOneLeaf({ chunks, world }: Ran): number {
  const nodes = new Map<number, Set<number>>();
  for (const { rects } of chunks) {
    rects.jobIdx.forEach((jobIdx, row) => {
      nodes.set(
        jobIdx,
        (nodes.get(jobIdx) ?? new Set()).add(nodeOfDevice(world.cluster, rects.device[row]!)),
      );
    });
  }
  const gangs = [...nodes.values()].filter((set) => set.size > 1);
  const leaves = gangs.map(
    (set) => new Set([...set].map((node) => world.cluster.leafOfNode[node]!)).size,
  );
  return leaves.filter((count) => count === 1).length / gangs.length;
}

function runsNamed({ chunks, world }: Ran, id: string): { endMs: number }[] {
  return chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, row) => ({ jobIdx, endMs: runs.endMs[row]! })).filter(
      ({ jobIdx }) => nameOf(world.jobs.ids, jobIdx) === id,
    ),
  );
}

const lastEndOf = (ran: Ran, id: string): number =>
  Math.max(...runsNamed(ran, id).map(({ endMs }) => endMs));

describe("the library", () => {
  test("has at least six scenarios with ids of their own, each with a question of one line", () => {
    expect(new Set(LIBRARY.map((entry) => entry.id)).size).toBe(LIBRARY.length);
    expect(LIBRARY.length).toBeGreaterThanOrEqual(6);
    for (const entry of LIBRARY) {
      expect(entry.question).toMatch(/^.{20,140}\?$/);
      expect([entry.document.title, entry.document.question]).toEqual([
        entry.title,
        entry.question,
      ]);
    }
  });

  test("opens at jobs and times that exist", () => {
    for (const { id, openAt } of LIBRARY) {
      const { jobs } = must(expand(libraryScenario(id)!));
      const ids = Array.from({ length: jobs.count }, (_, job) => nameOf(jobs.ids, job));
      if (openAt?.select !== undefined) expect(ids).toContain(openAt.select);
      expect(openAt?.cursorMs ?? 0).toBeLessThan(jobs.at.submitMs[jobs.count - 1]! + HOUR_MS);
    }
  });
});

describe("why is my job waiting?", () => {
  const { openAt } = libraryEntry("why-waiting")!;
  const before = run("why-waiting", false);
  const after = run("why-waiting", true);
  const cursorMs = openAt!.cursorMs;

  test("at the cursor the selected job has been submitted and waits, while more GPUs are free than it needs", () => {
    const job = Array.from({ length: before.world.jobs.count }, (_, i) => i).find(
      (i) => nameOf(before.world.jobs.ids, i) === openAt!.select,
    )!;
    expect(before.world.jobs.at.submitMs[job]!).toBeLessThan(cursorMs);
    expect(before.startOf(openAt!.select!)).toBeGreaterThan(cursorMs);
    expect(before.freeAt(cursorMs)).toBe(20);
    expect(before.world.jobs.at.gpuTotal[job]).toBe(8);
  });

  test("backfill, turned on at the cursor, starts it at once: more than two hours earlier", () => {
    expect(after.startOf("eval-suite")).toBe(cursorMs);
    expect(before.startOf("eval-suite") - cursorMs).toBeGreaterThan(2 * HOUR_MS);
  });

  test("the job at the head of the queue starts no later than before", () => {
    expect(after.startOf("moe-6x8")).toBe(before.startOf("moe-6x8"));
  });
});

test("the scenario of backfill opens where GPUs are idle and a wide job waits at the head of the queue", () => {
  const { cursorMs } = libraryEntry("fifo-backfill")!.openAt!;
  const ran = run("fifo-backfill", false);
  expect(ran.freeAt(cursorMs)).toBe(56);
  expect(ran.startOf("wide-9")).toBeGreaterThan(cursorMs);
});

test("backfill takes away more than half of the mean wait at the same load", () => {
  expect(run("fifo-backfill", true).metrics.waitSec.mean!).toBeLessThan(
    run("fifo-backfill", false).metrics.waitSec.mean! / 2,
  );
});

test("when higher tiers go first, critical work waits less than a quarter of before and low work more than twice", () => {
  const waits = (suggested: boolean) => run("tiers", suggested).metrics.byTier;
  const [before, after] = [waits(false), waits(true)];
  expect(after.critical!.waitSec.mean!).toBeLessThan(before.critical!.waitSec.mean! / 4);
  expect(after.low!.waitSec.mean!).toBeGreaterThan(before.low!.waitSec.mean! * 2);
});

describe("free GPUs that nobody can use", () => {
  const { openAt } = libraryEntry("fragmentation")!;
  const before = run("fragmentation", false);

  test("spread over all nodes, 34 GPUs are free and an 8-GPU job waits for hours", () => {
    expect(before.freeAt(openAt!.cursorMs)).toBe(34);
    expect(before.startOf("train-1x8")).toBeGreaterThan(openAt!.cursorMs + 2 * HOUR_MS);
  });

  test("placed by best fit, it starts when it is submitted", () => {
    const { world, startOf } = run("fragmentation", true);
    const submitted = Array.from({ length: world.jobs.count }, (_, i) => i).find(
      (i) => nameOf(world.jobs.ids, i) === "train-1x8",
    )!;
    expect(startOf("train-1x8")).toBe(world.jobs.at.submitMs[submitted]);
  });
});

test("kept under one leaf where that is possible, more gangs have all their nodes under one", () => {
  const [before, after] = [
    partUnderOneLeaf(run("topology", false)),
    partUnderOneLeaf(run("topology", true)),
  ];
  expect(before).toBeLessThan(0.8);
  expect(after).toBeGreaterThan(before + 0.15);
});

describe("idle GPUs under Slurm", () => {
  const { openAt } = libraryEntry("slurm-two-teams")!;
  const before = run("slurm-two-teams", false);

  test("more GPUs are idle than the job asks for, and it waits until the maintenance is over", () => {
    expect(before.freeAt(openAt!.cursorMs)).toBeGreaterThanOrEqual(16);
    expect(before.startOf("protein-fold")).toBeGreaterThan(28 * HOUR_MS);
  });

  test("with a limit that ends before the window it starts at once", () => {
    expect(run("slurm-two-teams", true).startOf("protein-fold")).toBe(openAt!.cursorMs);
  });

  test("QOS high preempts QOS low, the dependent job waits for the end of its training, nobody runs during the maintenance", () => {
    expect(before.metrics.preemptions).toBeGreaterThan(0);
    expect(before.startOf("prod-retrain")).toBeLessThan(3 * HOUR_MS);
    // Its user's share is used up by the training, so that it is not the first in line then.
    const trainedMs = before.startOf("pretrain") + 10 * HOUR_MS;
    expect(before.startOf("eval-pretrain")).toBeGreaterThanOrEqual(trainedMs);
    expect(before.startOf("eval-pretrain")).toBeLessThan(trainedMs + 6 * HOUR_MS);
    expect(before.freeAt(26 * HOUR_MS)).toBe(before.world.cluster.deviceCount);
  });
});

describe("urgent work against long training", () => {
  const { openAt } = libraryEntry("lab-preemption")!;
  const [before, after] = [run("lab-preemption", false), run("lab-preemption", true)];

  test("the urgent evaluation waits for hours, or starts two minutes after training is told to give way", () => {
    expect(before.startOf("incident-eval")).toBeGreaterThan(openAt!.cursorMs + 4 * HOUR_MS);
    expect(after.startOf("incident-eval")).toBeLessThanOrEqual(openAt!.cursorMs + 2 * MINUTE_MS);
  });

  test("training that gave way ends all the same, later than if left alone by more than the urgent work took", () => {
    const stopped = lastEndOf(after, "pretrain-a") - lastEndOf(before, "pretrain-a");
    expect(stopped).toBeGreaterThan(80 * MINUTE_MS);
    expect(stopped).toBeLessThan(4 * HOUR_MS);
    expect(after.metrics.preemptions).toBeGreaterThan(0);
    expect(before.metrics.preemptions).toBe(0);
  });
});

describe("whose GPUs are these?", () => {
  const [before, after] = [run("lab-quota", false), run("lab-quota", true)];
  const waitOf = (ran: Ran, number: number) =>
    ran.startOf(`research-${number}`) - (170 + 10 * number) * MINUTE_MS;

  test("lent GPUs come back when borrowed jobs end: most of the owner's jobs wait an hour and more", () => {
    expect([2, 3, 4].map((number) => waitOf(before, number) >= 50 * MINUTE_MS)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("taken back, the one that waits starts at once and others when they come, as many as its quota holds", () => {
    const { openAt } = libraryEntry("lab-quota")!;
    expect(after.startOf(openAt!.select!)).toBe(openAt!.cursorMs);
    expect([3, 4].map((number) => waitOf(after, number))).toEqual([0, 0]);
    expect(waitOf(after, 5)).toBeGreaterThan(0);
  });
});

test("a job of 64 GPUs is stopped twice and more, or gives members, goes on in one run and ends an hour earlier", () => {
  const runsOf = (ran: Ran) => runsNamed(ran, "foundation").length;
  const [before, after] = [run("lab-elastic", false), run("lab-elastic", true)];
  expect(runsOf(before)).toBeGreaterThanOrEqual(3);
  expect(runsOf(after)).toBe(1);
  expect(after.startOf("hotfix-train")).toBe(2 * HOUR_MS);
  expect(lastEndOf(before, "foundation") - lastEndOf(after, "foundation")).toBeGreaterThan(HOUR_MS);
});

test("the service holds its target through the day's peak; with two nodes less it misses it for about half an hour", () => {
  const { cursorMs } = libraryEntry("lab-services")!.openAt!;
  const missedMs = (ran: Ran) => {
    const { targetMs } = ran.world.services![0]!;
    const steps = ran.chunks.flatMap(({ gauges }) =>
      Array.from(gauges.atMs, (atMs, row) => ({ atMs, row, gauges })).filter(
        ({ row }) => gauges.kind[row] === GaugeCode.latency,
      ),
    );
    return steps.reduce((sum, { atMs, row, gauges }, index) => {
      const untilMs = steps[index + 1]?.atMs ?? DAY_MS;
      return atMs < cursorMs || gauges.value[row]! <= targetMs ? sum : sum + untilMs - atMs;
    }, 0);
  };
  expect(missedMs(run("lab-services", false))).toBe(0);
  const missed = missedMs(run("lab-services", true));
  expect(missed).toBeGreaterThan(10 * MINUTE_MS);
  expect(missed).toBeLessThan(HOUR_MS);
});

describe("Kubernetes serves, Slurm trains", () => {
  const [fixed, shared] = [run("mixed-fleet-static", false), run("mixed-fleet-shared", false)];
  const gaugeRows = ({ chunks }: Ran, kind: number) =>
    chunks.flatMap(({ gauges }) =>
      Array.from(gauges.atMs, (atMs, row) => ({ atMs, row, gauges }))
        .filter(({ row }) => gauges.kind[row] === kind)
        .map(({ atMs, row }) => ({
          atMs,
          subject: gauges.subject[row]!,
          value: gauges.value[row]!,
        })),
    );
  const missedMs = (ran: Ran) => {
    const { targetMs } = ran.world.services![0]!;
    const steps = gaugeRows(ran, GaugeCode.latency);
    return steps.reduce(
      (sum, { atMs, value }, index) =>
        value <= targetMs ? sum : sum + (steps[index + 1]?.atMs ?? DAY_MS) - atMs,
      0,
    );
  };

  test("with fixed pools the service misses its target for hours while at night its nodes are idle", () => {
    expect(missedMs(fixed)).toBeGreaterThan(4 * HOUR_MS);
    expect(gaugeRows(fixed, GaugeCode.poolNodes)).toEqual([]);
  });

  test("where both open, at 14:00, the one misses its target and the other holds it", () => {
    const latencyAt = (ran: Ran, atMs: number) =>
      gaugeRows(ran, GaugeCode.latency).findLast((step) => step.atMs <= atMs)!.value;
    const { targetMs } = fixed.world.services![0]!;
    const openMs = 14 * HOUR_MS;
    expect(libraryEntry("mixed-fleet-static")!.openAt!.cursorMs).toBe(openMs);
    expect(latencyAt(fixed, openMs)).toBeGreaterThan(targetMs);
    expect(latencyAt(shared, openMs)).toBeLessThanOrEqual(targetMs);
  });

  test("with nodes that change sides it misses it for minutes, and training waits less as well", () => {
    expect(missedMs(shared)).toBeLessThan(20 * MINUTE_MS);
    expect(shared.metrics.byTier.low!.waitSec.mean!).toBeLessThan(
      0.95 * fixed.metrics.byTier.low!.waitSec.mean!,
    );
  });

  test("Kubernetes has two nodes in the night and six at the peak", () => {
    const nodes = gaugeRows(shared, GaugeCode.poolNodes).filter(({ subject }) => subject === 0);
    const at = (atMs: number) => nodes.findLast((step) => step.atMs <= atMs)?.value;
    expect([at(5 * HOUR_MS), at(14 * HOUR_MS)]).toEqual([2, 6]);
  });
});

test("the month on 128 nodes draws 10,000 to 20,000 jobs that offer 85 to 95 % of 1,024 GPUs", () => {
  const { jobs, cluster } = must(expand(libraryScenario("month-128")!));
  const deviceMs = Array.from(
    jobs.at.gpuTotal,
    (gpus, job) => (gpus * jobs.at.workQ16[job]!) / SPEED_ONE,
  );
  const load = deviceMs.reduce((sum, ms) => sum + ms, 0) / (cluster.deviceCount * 30 * DAY_MS);
  expect(cluster.deviceCount).toBe(1_024);
  expect(jobs.count).toBeGreaterThan(10_000);
  expect(jobs.count).toBeLessThan(20_000);
  expect(load).toBeGreaterThan(0.85);
  expect(load).toBeLessThan(0.95);
});

describe("two gangs, one uplink", () => {
  const { openAt, suggest } = libraryEntry("lab-network")!;
  const [before, after] = [run("lab-network", false), run("lab-network", true)];
  const lengthOf = (ran: Ran, id: string) => lastEndOf(ran, id) - ran.startOf(id);

  test("laid across two leaves, both gangs run longer than their work while they share the uplinks", () => {
    expect(partUnderOneLeaf(before)).toBeLessThan(0.5);
    for (const id of ["moe-a", "moe-b"]) {
      expect(lengthOf(before, id)).toBeGreaterThan(1.15 * 4 * HOUR_MS);
      expect(lengthOf(before, id)).toBeLessThan(1.25 * 4 * HOUR_MS);
    }
    const loads = before.chunks.flatMap(({ gauges }) =>
      [...gauges.value].filter((_, row) => gauges.kind[row] === GaugeCode.uplink),
    );
    expect(Math.max(...loads)).toBe(1);
  });

  test("it opens while both run", () => {
    for (const id of ["moe-a", "moe-b"]) {
      expect(before.startOf(id)).toBeLessThan(openAt!.cursorMs);
      expect(lastEndOf(before, id)).toBeGreaterThan(openAt!.cursorMs);
    }
  });

  test("kept under one leaf each, both run as their work says, and neither starts later", () => {
    for (const id of ["moe-a", "moe-b"]) {
      expect(lengthOf(after, id)).toBe(4 * HOUR_MS);
      expect(after.startOf(id)).toBeLessThanOrEqual(before.startOf(id));
      expect(after.startOf(id)).toBeGreaterThan(suggest!.intervention.atMs);
    }
  });
});
