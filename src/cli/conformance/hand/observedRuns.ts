/**
 * What was observed, where the case has runs of a better policy beside it: the case's own jobs and nodes under the first of these policies, with the one rule
 * changed that the observation tells of. Victims taken node by node; gangs that take their members one by one; victims counted in devices, wherever these lie.
 */
import type { Scenario } from "../../../scenario/schema.ts";
import type { FieldCase } from "../fieldCaseFile.ts";
import { scenarioOfRun } from "../fieldCaseScenario.ts";
import { type HandRun, heldAt, runScenario, startsOf } from "./runDocument.ts";
import { type Statement, side, textOf } from "./statement.ts";

type Settings = Readonly<Record<string, string | number | boolean>>;

export function observedRuns(one: FieldCase): Statement[] {
  const [run] = one.runs ?? [];
  if (run === undefined || one.scenario.jobs === undefined) return [];
  const scenario = scenarioOfRun(one, run);
  return [
    ...nodeByNode(one, scenario),
    ...memberByMember(one, scenario),
    ...byCount(one, scenario),
  ];
}

function under(scenario: Scenario, settings: Settings): Scenario {
  const pools = scenario.pools.map((pool) => {
    const { policy } = pool;
    return { ...pool, policy: { ...policy, settings: { ...policy.settings, ...settings } } };
  });
  return { ...scenario, pools };
}

/** `jobs_stopped`, `lost_gpu_minutes`: a node gives way as a whole, and with it each job that has a member on it. */
function nodeByNode(one: FieldCase, scenario: Scenario): Statement[] {
  const { jobs_stopped: jobs, lost_gpu_minutes: lost } = side(one, "observed");
  if (typeof jobs !== "number") return [];
  const { stopped } = runScenario(under(scenario, { preemptUnit: "node" }));
  const came = new Set(stopped.map(({ jobIdx }) => jobIdx)).size;
  const statements: Statement[] = [{ name: "jobs stopped", expected: jobs, came }];
  if (typeof lost === "number") {
    const gpuMinutes = stopped.reduce((sum, each) => sum + each.gpuMinutes, 0);
    statements.push({ name: "lost GPU-minutes", expected: lost, came: gpuMinutes });
  }
  return statements;
}

/** `50 pods bound, 0 progress` of a job: what it holds once nothing moves any more. */
function memberByMember(one: FieldCase, scenario: Scenario): Statement[] {
  const observed = side(one, "observed");
  const bound = Object.entries(observed).flatMap(([id, said]) => {
    const pods = /^(\d+) pods bound, 0 progress/.exec(textOf(said))?.[1];
    return pods === undefined ? [] : [{ id, pods: Number(pods) }];
  });
  if (bound.length === 0) return [];
  const jobs = scenario.workload.jobs.map((job) => ({ ...job, gang: false }));
  const run = runScenario({ ...scenario, workload: { ...scenario.workload, jobs } });
  const statements = bound.map(({ id, pods }) => {
    const perPod = jobs.find((job) => job.id === id)?.components?.[0]?.gpusPerMember ?? 0;
    const came = heldAt(run, LATE_MIN, (jobId) => jobId === id) / perPod;
    return { name: `${id}: pods`, expected: pods, came };
  });
  const { useful, gpu_allocation: allocation } = observed;
  if (typeof useful === "number")
    statements.push({ name: "useful", expected: useful, came: run.usefulGpuHours });
  if (typeof allocation === "number") {
    const held = heldAt(run, LATE_MIN, () => true);
    statements.push({ name: "held", expected: allocation, came: held / gpusOf(scenario) });
  }
  return statements;
}

const LATE_MIN = 1_000_000;

function gpusOf({ cluster }: Scenario): number {
  return cluster.nodeGroups.reduce((sum, { count, gpus }) => sum + count * gpus, 0);
}

/** `admitted, never placed`: as many devices are freed as it asks for, wherever they are, and those behind it wait. */
function byCount(one: FieldCase, scenario: Scenario): Statement[] {
  const { evicted, ...observed } = side(one, "observed");
  const never = Object.keys(observed).filter((id) =>
    /^admitted, never placed/.test(textOf(observed[id])),
  );
  if (typeof evicted !== "number" || never.length === 0) return [];
  const run = runScenario(under(scenario, { onlyIfUseful: false, backfill: "none" }));
  const statements: Statement[] = [{ name: "evicted", expected: evicted, came: run.evictions }];
  for (const id of never)
    statements.push({ name: id, expected: "never", came: firstWithin(run, id, one) });
  for (const [name, said] of Object.entries(observed)) {
    const from = /^idle_gpus_from_(\d+)$/.exec(name)?.[1];
    if (from !== undefined && typeof said === "number") {
      const came = gpusOf(scenario) - heldAt(run, Number(from), () => true);
      statements.push({ name, expected: said, came });
    }
    if (/^pending behind/.test(textOf(said)))
      statements.push({ name, expected: "never", came: firstWithin(run, name, one) });
  }
  return statements;
}

/** The first start of a job before the longest of the others has ended; `never` where it has none. */
function firstWithin(run: HandRun, id: string, one: FieldCase): number | string {
  const longest = Math.max(...(one.scenario.jobs ?? []).map(({ runtime }) => runtime));
  return startsOf(run, id).find((atMin) => atMin < longest) ?? "never";
}
