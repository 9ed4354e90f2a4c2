/**
 * A recording → a scenario that the page could open: the cluster and policy that its configuration lines describe, through the importer that
 * users get, and its jobs and commands. The scenario passes the same door as any document.
 */
import type { Problem } from "../../base/problem.ts";
import { SECOND_MS } from "../../model/units.ts";
import { readScenario } from "../../scenario/read.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { scenarioFromSlurm } from "../../scenario/slurm/importCluster.ts";
import { problemLine } from "../fail.ts";
import { commandsOf, type Question } from "./slurmTruthCommands.ts";
import { lastMomentSec, type Recording } from "./slurmTruthFile.ts";
import { jobsOf } from "./slurmTruthJobs.ts";
import { snapshotMs } from "./slurmTruthTables.ts";
import { type RefusedName, withoutUnknown } from "./slurmTruthUnknown.ts";

export interface TruthScenario {
  readonly scenario: Scenario;
  readonly questions: readonly Question[];
  readonly refused: readonly RefusedName[];
}

/** What happens after the recording does not matter, but an end that comes late must be seen to be late. */
const SEEN_AFTER_SEC = 120;

/** Throws with the problems that the document has. */
export function scenarioOf(truth: Recording): TruthScenario {
  const { config } = truth;
  const files = {
    conf: textOf([...config.slurmConf, ...config.nodes, ...config.partitions]),
    gres: textOf(config.gresConf ?? []),
    topology: textOf(asLines(config.topologyConf)),
    accounting: textOf(config.sacctmgr ?? []),
  };
  const { scenario: draft } = must(scenarioFromSlurm(files));
  const policy = {
    preset: "slurm",
    slurm: files,
    settings: { controllerStartMs: controllerStartMs(truth) },
  };
  const { changes, questions } = commandsOf(truth, policy);
  const { known, refused } = withoutUnknown(must(readScenario(draft)), files, jobsOf(truth));
  const never = new Set(refused.map(({ job }) => job.id));
  const document = {
    ...draft,
    title: truth.scenario,
    horizonMs: Math.ceil(lastMomentSec(truth) + SEEN_AFTER_SEC) * SECOND_MS,
    pools: [{ id: "all", policy }],
    workload: { jobs: known },
    interventions: changes.filter((change) => !("job" in change) || !never.has(String(change.job))),
  };
  const snapshots = (truth.snapshots?.runA ?? []).map((one) => ({
    atMs: snapshotMs(one),
    command: "snapshot",
  }));
  return {
    scenario: must(readScenario(document)),
    questions: [...questions, ...snapshots],
    refused,
  };
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function asLines(text: string | readonly string[] | null | undefined): readonly string[] {
  if (text === null || text === undefined) return [];
  return typeof text === "string" ? text.split("\n") : text;
}

/**
 * The limit check runs every 30 s from the controller's start on; the recording gives its phase in run A. Priority ticks count from a moment
 * that is later by a part of a second: all recorded ages and usages agree on it.
 */
function controllerStartMs(truth: Recording): number {
  const phaseSec = truth.limitCheckPhaseSec?.runA ?? truth.limitCheckPhaseSec?.runB ?? 0;
  return Math.round((phaseSec + TICK_AFTER_CHECK_SEC - 30) * SECOND_MS);
}

const TICK_AFTER_CHECK_SEC = 0.3;

function must<T>(read: { ok: true; value: T } | { ok: false; error: readonly Problem[] }): T {
  if (!read.ok) throw new Error(read.error.map(problemLine).join("; "));
  return read.value;
}
