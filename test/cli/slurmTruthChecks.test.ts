import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkOutcome, differenceLine } from "../../src/cli/conformance/slurmTruthChecks.ts";
import { type Recording, readRecording } from "../../src/cli/conformance/slurmTruthFile.ts";
import { idsOf } from "../../src/cli/conformance/slurmTruthJobs.ts";
import type { OurJob, OurOutcome, OurRun } from "../../src/cli/conformance/slurmTruthRun.ts";

const folder = fileURLToPath(new URL("../truth/slurm", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const load = (name: string) => readRecording(JSON.parse(readFileSync(join(folder, name), "utf8")));

const END_STATES: Readonly<Record<string, OurRun["endState"]>> = {
  COMPLETED: "completed",
  PREEMPTED: "preempted",
  REQUEUED: "requeued",
  NODE_FAIL: "nodeFailed",
  TIMEOUT: "timeout",
  CANCELLED: "cancelled",
  FAILED: "failed",
  RUNNING: "running",
};

/** An outcome that is the recording itself, in the times of run A or run B. */
function outcomeOf(truth: Recording, run: "A" | "B"): OurOutcome {
  const jobs = truth.jobs.flatMap((job) =>
    idsOf(job).map((id): OurJob => {
      const result = truth.results[id];
      const array = truth.results[`${job.id}_pending`];
      const segments = result?.segments ?? [];
      const runs = segments.map((one): OurRun => {
        const [start, end] =
          run === "A" ? [one.startSec, one.endSec] : [one.startSecRunB, one.endSecRunB];
        const gpuIdx = one.gpuIdx ?? Object.fromEntries((one.nodes ?? []).map((n) => [n, []]));
        return {
          startMs: (start ?? one.startSec ?? 0) * 1_000,
          endMs: (end ?? one.endSec ?? Number.POSITIVE_INFINITY) * 1_000,
          endState: END_STATES[one.endState ?? ""]!,
          partition: one.partition ?? "",
          gpuIdx: new Map(Object.entries(gpuIdx)),
          suspensions: one.suspendedSec ? [[0, one.suspendedSec * 1_000]] : [],
        };
      });
      return {
        id,
        submitMs: job.submitSec * 1_000,
        runs,
        reasons: reasonsOf(array ?? result, runs[0]?.startMs ?? Number.POSITIVE_INFINITY),
        refused: result === undefined ? refusalOf(truth, id) : null,
        leftMs:
          result === undefined
            ? job.submitSec * 1_000
            : result.neverRan === "CANCELLED"
              ? 1_000 * (result.pendingReasons?.at(-1)?.toSec ?? 0)
              : Number.POSITIVE_INFINITY,
      };
    }),
  );
  return {
    world: undefined as never,
    jobs: new Map(jobs.map((job) => [job.id, job])),
    names: jobs.map((job) => job.id),
    answers: [],
    nodeState: () => "open",
  };
}

/** The record of an array speaks for a task until it starts. */
function reasonsOf(result: Recording["results"][string] | undefined, startMs: number) {
  return (result?.pendingReasons ?? [])
    .map((one) => ({
      reason: one.reason.replaceAll("_", " "),
      fromMs: one.fromSec * 1_000,
      toMs: (one.toSec ?? 0) * 1_000,
    }))
    .filter((one) => result?.finalState !== undefined || one.fromMs < startMs);
}

function refusalOf(truth: Recording, id: string): string {
  const said = truth.commandOutput?.runA?.find((one) => one.what === id)?.output ?? "";
  return /error: (\w+)$/m.exec(said)?.[1] ?? "other";
}

const differences = (truth: Recording, ours: OurOutcome) =>
  checkOutcome(truth, ours).map(differenceLine);

describe.each(files)("%s", (name) => {
  test("passes its own checks, in the times of either run", () => {
    const truth = load(name);
    expect(differences(truth, outcomeOf(truth, "A"))).toEqual([]);
    expect(differences(truth, outcomeOf(truth, "B"))).toEqual([]);
  });
});

describe("what differs is named", () => {
  const truth = load("05a-qos-preempt-victim-default.json");
  const changed = (id: string, change: (job: OurJob) => void) => {
    const ours = outcomeOf(truth, "A");
    change(ours.jobs.get(id)!);
    return differences(truth, ours);
  };
  test("another GPU", () => {
    const said = changed("L1", (job) => {
      job.runs[0]!.gpuIdx.set("n1", [0, 1, 2, 3, 4, 5, 6]);
    });
    expect(said).toEqual(["L1 GPUs: recorded n1:0+1+2+3+4+5+6+7, came n1:0+1+2+3+4+5+6 (at 0 s)"]);
  });
  test("another node", () => {
    const said = changed("L1", (job) => {
      job.runs[0]!.gpuIdx.clear();
      job.runs[0]!.gpuIdx.set("n2", [0, 1, 2, 3, 4, 5, 6, 7]);
    });
    expect(said[0]).toBe("L1 nodes: recorded n1, came n2 (at 0 s)");
  });
  test("a start later than the tolerance", () => {
    const said = changed("L1", (job) => {
      job.runs[1] = { ...job.runs[1]!, startMs: 41_000 };
    });
    expect(said).toEqual(["L1 run 2 start: recorded 34 or 35, came 41 (at 34 s)"]);
  });
  test("a victim that is not preempted", () => {
    const said = changed("L1", (job) => job.runs.splice(1));
    expect(said).toContain("L1 run 2 start: recorded at 34, came never (at 34 s)");
  });
  test("another reason", () => {
    const said = changed("H", (job) => {
      job.reasons.push({ reason: "Licenses", fromMs: 18_000, toMs: 21_000 });
    });
    expect(said[0]).toMatch(/^H reasons: recorded .*, came .*Licenses 18–21/);
  });
});
