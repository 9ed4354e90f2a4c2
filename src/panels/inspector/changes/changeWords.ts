/** Interventions in words: a title and a line of detail, for the list of changes, its undo button and the live region. */
import { countText, durationText } from "../../../base/format.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { settingChanges } from "../policy/settingWords.ts";
import { changeText } from "./labelWords.ts";

export interface ChangeWords {
  readonly title: string;
  readonly detail: string;
}

/** `index` = place in the document's list. O(interventions). */
export function changeWords(scenario: Scenario, index: number, deviceWord: string): ChangeWords {
  const change = scenario.interventions[index];
  if (!change) return { title: "", detail: "" };
  switch (change.kind) {
    case "policy":
      return policyWords(scenario, change, index);
    case "inject": {
      const { id, name } = change.job;
      const label = name === undefined || name === id ? id : `${id} ${name}`;
      return { title: `Inject ${label}`, detail: jobNeed(change.job, deviceWord) };
    }
    case "cancel":
      return { title: `Cancel job ${change.job}`, detail: "it leaves the queue or stops" };
    case "retier": {
      const tier = scenario.tiers.find((entry) => entry.id === change.tier)?.name ?? change.tier;
      return { title: `Move job ${change.job} to ${tier}`, detail: "from then on" };
    }
    case "drain":
      return { title: `Drain ${nodesWords(change.nodes)}`, detail: "jobs on it may finish" };
    case "resume":
      return { title: `Resume ${nodesWords(change.nodes)}`, detail: "open for work again" };
    case "fail":
      return {
        title: `${change.noticed ? "Set down" : "Fail"} ${nodesWords(change.nodes)}`,
        detail: "jobs on it stop at once",
      };
    case "label":
      return { title: `Label ${nodesWords(change.nodes)}`, detail: changeText(change) };
    case "reserve":
      return { title: `Reserve ${change.name}`, detail: reservedWords(change) };
    case "unreserve":
      return { title: `Delete reservation ${change.name}`, detail: "its nodes are free for all" };
    default:
      return jobWords(change);
  }
}

function policyWords(
  scenario: Scenario,
  change: Extract<Intervention, { kind: "policy" }>,
  index: number,
): ChangeWords {
  const pool = scenario.pools.find(
    (entry) => change.pool === undefined || entry.id === change.pool,
  );
  if (!pool) return { title: "Policy", detail: "" };
  const before = policyAt(scenario, pool.id, change.atMs, index);
  const changes = settingChanges(before, change.policy);
  // What a configuration of Slurm changes is said by its note: comparing texts takes the whole parser.
  if (before.preset === "slurm" && change.policy.slurm && change.note)
    return { title: "Slurm’s settings", detail: change.note };
  const where = scenario.pools.length > 1 ? ` of pool ${change.pool ?? "all"}` : "";
  const [first] = changes;
  if (!first) return { title: `Policy${where}`, detail: "as it was" };
  // slurmctld has no accounting of before it ran; the lab remembers every run.
  const anew = change.policy.preset === "slurm" && before.preset !== "slurm";
  const note = anew ? "; Slurm counts usage from here on" : "";
  if (changes.length === 1)
    return { title: `${first.label}${where}`, detail: `${first.from} → ${first.to}${note}` };
  const list = changes.map((entry) => `${entry.label}: ${entry.from} → ${entry.to}`).join(", ");
  return { title: `Policy${where}`, detail: `${list}${note}` };
}

type JobChange = Extract<
  Intervention,
  { kind: "hold" | "release" | "requeue" | "suspend" | "unsuspend" | "update" | "top" }
>;

function jobWords(change: JobChange): ChangeWords {
  switch (change.kind) {
    case "hold":
      return { title: `Hold job ${change.job}`, detail: `by its ${change.by}, until released` };
    case "release":
      return { title: `Release job ${change.job}`, detail: "it may start again" };
    case "requeue":
      return {
        title: `Requeue job ${change.job}`,
        detail: change.hold ? "it stops, and is held" : "it stops, and waits again",
      };
    case "suspend":
      return { title: `Suspend job ${change.job}`, detail: "it stops, and keeps its devices" };
    case "unsuspend":
      return { title: `Resume job ${change.job}`, detail: "it goes on where it stopped" };
    case "top":
      return { title: `Move job ${change.job} to the top`, detail: "before the user’s other jobs" };
    case "update":
      return { title: `Change job ${change.job}`, detail: updateWords(change) };
  }
}

function updateWords(change: Extract<Intervention, { kind: "update" }>): string {
  const parts = [
    change.limitMs === undefined ? "" : `limit ${durationText(change.limitMs)}`,
    change.nice === undefined ? "" : `nice ${change.nice}`,
    change.priority === undefined ? "" : `priority ${change.priority}`,
    change.beginMs === undefined ? "" : `begins at ${durationText(change.beginMs)}`,
    ...Object.keys(change.slurm ?? {}).map((option) => `another ${option}`),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function reservedWords(change: Extract<Intervention, { kind: "reserve" }>): string {
  const nodes = change.nodes ?? countText(change.nodeCount ?? 0, "node");
  const flags = change.flags.length === 0 ? "" : `, ${change.flags.join(", ")}`;
  return `${nodes} for ${durationText(change.endMs - change.startMs)}${flags}`;
}

function nodesWords(nodes: readonly string[]): string {
  return nodes.length === 1 ? `node ${nodes[0]}` : countText(nodes.length, "node");
}

type InjectedJob = Extract<Intervention, { kind: "inject" }>["job"];

function jobNeed(job: InjectedJob, deviceWord: string): string {
  const nodes = job.nodes ?? job.slurm?.minNodes;
  const perNode = job.gpusPerNode ?? job.slurm?.gpusPerNode ?? 0;
  const gpus = job.gpus ?? job.slurm?.gpus ?? (nodes ?? 1) * perNode;
  const shape = nodes === undefined ? "" : ` on ${countText(nodes, "node")}`;
  const parts = [
    gpus > 0 ? countText(gpus, deviceWord) + shape : "",
    `runs ${durationText(job.workMs)}`,
    job.limitMs !== undefined || job.slurm ? "" : "no limit",
    job.limitMs === undefined ? "" : `limit ${durationText(job.limitMs)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
