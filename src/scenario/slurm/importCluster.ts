/**
 * From the files of a Slurm cluster to a scenario without jobs: its nodes, its switches, partitions as queues, QOS as tiers,
 * accounts as teams, and one pool that the texts govern. Names stay as they are, so that a person finds them again.
 */
import type { Problem } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import { LIMITS } from "../../model/limits.ts";
import type { SlurmConfig, SlurmNode, SlurmSwitch } from "../../model/slurm/config.ts";
import type { ScenarioInput } from "../schema.ts";
import { guessedGpus, saysGpus } from "./clusterGpus.ts";
import { valueIn } from "./editText.ts";
import { compressHostlist } from "./hostlist.ts";
import { lineWith } from "./lex.ts";
import { parseSlurm } from "./parse.ts";
import type { ConfigNote, SlurmFiles } from "./report.ts";

export interface ImportedSlurm {
  readonly scenario: SlurmScenario;
  readonly notes: readonly ConfigNote[];
}

/** A scenario in which everything that the files say is set, and the workload is left to others. */
export interface SlurmScenario extends ScenarioInput {
  readonly pools: NonNullable<ScenarioInput["pools"]>;
  readonly tiers: NonNullable<ScenarioInput["tiers"]>;
  readonly teams: NonNullable<ScenarioInput["teams"]>;
  readonly queues: string[];
}

type NodeGroupInput = ScenarioInput["cluster"]["nodeGroups"][number];

const MOST_GROUPS = 256;
const MOST_QUEUES = 256;

/** The scenario of a cluster as its files describe it. Fails where a file is wrong or names no nodes. O(text + nodes). */
export function scenarioFromSlurm(files: SlurmFiles): Result<ImportedSlurm, Problem[]> {
  const parsed = parseSlurm(files);
  if (!parsed.ok) return parsed;
  const { config, switches } = parsed.value;
  const notes: ConfigNote[] = [];
  const nodes = config.nodes.filter((node) => node.state !== "future");
  if (nodes.length < config.nodes.length) {
    notes.push(note("State", "Nodes that are FUTURE are left out of the cluster."));
  }
  if (config.partitions.length > 0 && !config.partitions.some((each) => each.isDefault)) {
    const sentence =
      "No partition is the default: jobs that name none go to the one with the most GPUs.";
    notes.push(note("Default", sentence));
  }
  const nodeGroups = groupsOf(nodes, notes);
  if (nodes.length > 0 && !saysGpus(nodes)) guessGpus(nodeGroups, nodes, notes);
  if (nodeGroups.length === 0 || nodeGroups.length > MOST_GROUPS)
    return err([sizeProblem(nodeGroups.length)]);
  const scenario: SlurmScenario = {
    version: 1,
    title: valueIn(files.conf, "ClusterName") || "Slurm cluster",
    cluster: { nodeGroups, ...(switches.length > 0 ? { switches: switchesOf(switches) } : {}) },
    ...namesOf(config, notes),
    pools: [{ id: "all", policy: { preset: "slurm", slurm: { ...files }, settings: {} } }],
  };
  const placed = notes.map((one) => ({ ...one, line: lineOfNote(files.conf, one.key) }));
  return ok({ scenario, notes: [...parsed.value.notes, ...placed] });
}

/** QOS, accounts and partitions as tiers, teams and queues; what does not fit is told in `notes`. O(names). */
export function namesOf(
  config: SlurmConfig,
  notes: ConfigNote[],
): Pick<SlurmScenario, "tiers" | "teams" | "queues"> {
  return {
    tiers: tiersOf(config, notes),
    teams: teamsOf(config, notes),
    queues: queuesOf(config, notes),
  };
}

/** What is said of all nodes or partitions stands at the first of them. */
function lineOfNote(conf: string, key: string): number {
  return lineWith(
    conf,
    key === "Default" || key === "PartitionName" ? "PartitionName" : "NodeName",
  );
}

function note(key: string, sentence: string): ConfigNote {
  return { file: "slurm.conf", line: 1, key, kind: "approximated", sentence };
}

function sizeProblem(groups: number): Problem {
  return groups === 0
    ? {
        place: "slurm.conf",
        message: "The file names no nodes.",
        remedy: "Add NodeName lines, or add the file to a scenario whose cluster is known.",
      }
    : {
        place: "slurm.conf, NodeName",
        message: `The nodes fall into ${groups} groups of equal neighbours; ${MOST_GROUPS} are accepted.`,
        remedy: "Put lines of equal nodes next to each other.",
      };
}

/** Gives the groups GPUs where no line says anything of them, with a note. */
function guessGpus(
  groups: NodeGroupInput[],
  nodes: readonly SlurmNode[],
  notes: ConfigNote[],
): void {
  const guess = guessedGpus(nodes);
  let first = 0;
  for (const group of groups) {
    const { model, gpus, sentence } = guess(nodes[first]!);
    if (first === 0) notes.push(note("Gres", sentence));
    Object.assign(group, { gpus, gpuModel: model });
    first += group.count;
  }
}

/** Nodes of the same hardware that stand next to each other are one group. */
function groupsOf(nodes: readonly SlurmNode[], notes: ConfigNote[]): NodeGroupInput[] {
  const groups: NodeGroupInput[] = [];
  const ids = new Set<string>();
  for (let from = 0; from < nodes.length; ) {
    let until = from + 1;
    while (until < nodes.length && sameHardware(nodes[from]!, nodes[until]!)) until += 1;
    groups.push(groupOf(nodes.slice(from, until), ids, notes));
    from = until;
  }
  return groups;
}

function sameHardware(a: SlurmNode, b: SlurmNode): boolean {
  return (
    a.cpus === b.cpus &&
    a.sockets === b.sockets &&
    a.realMemoryMiB === b.realMemoryMiB &&
    JSON.stringify(a.gres) === JSON.stringify(b.gres)
  );
}

function groupOf(
  nodes: readonly SlurmNode[],
  ids: Set<string>,
  notes: ConfigNote[],
): NodeGroupInput {
  const [node] = nodes;
  const names = nodes.map((each) => each.name);
  const gpus = node!.gres.filter((gres) => gres.name === "gpu");
  const types = [...new Set(gpus.map((gres) => gres.type))];
  if (types.length > 1) {
    const sentence = `${node!.name} has GPUs of several types: they are told apart by Slurm's rules, and drawn alike.`;
    notes.push(note("Gres", sentence));
  }
  const [type = ""] = types;
  return {
    id: groupId(names, ids),
    count: nodes.length,
    names: compressHostlist(names),
    gpuModel:
      types.length > 1
        ? types.map(gpuModel).join(" + ").slice(0, LIMITS.nameLength)
        : gpuModel(type),
    gpuMemGiB: gpuMemoryGiB(type),
    gpus: gpus.reduce((sum, gres) => sum + gres.count, 0),
    cpus: node!.cpus,
    memGiB: Math.min(1_000_000, Math.ceil(node!.realMemoryMiB / 1_024)),
  };
}

/** What the names have in common, without digits and marks at its end: `dgx-a[001-004]` → `dgx-a`. */
function groupId(names: readonly string[], ids: Set<string>): string {
  const [first = "node"] = names;
  let common = first;
  for (const name of names) {
    while (!name.startsWith(common)) common = common.slice(0, -1);
  }
  const stem = common.replace(/[\d._-]+$/, "") || first;
  let id = stem;
  for (let more = 2; ids.has(id); more += 1) id = `${stem}-${more}`;
  ids.add(id);
  return id;
}

const MODEL =
  /(gb[23]00|gh200|b[123]00|h[12]00|h20|a[1348]00?|a\d{2}|v100|p100|p40|k80|l40s?|l4|t4|rtx[\w-]*|mi\d{3}\w?)/i;
const MIG = /^\d+g\.\d+gb$/i;

/** `a100` → `A100`, `tesla_v100-pcie-32gb` → `V100`, a MIG profile and what is not known as written; no type: `GPU`. */
function gpuModel(type: string): string {
  if (type === "") return "GPU";
  if (MIG.test(type)) return type;
  return MODEL.exec(type)?.[1]?.toUpperCase() ?? type;
}

const USUAL_GPU_GIB = 80;

/** The number before `gb` in a type; otherwise the document's usual one. */
function gpuMemoryGiB(type: string): number {
  const stated = /(\d{1,3})gb/i.exec(type);
  return stated === null ? USUAL_GPU_GIB : Number(stated[1]);
}

function switchesOf(
  switches: readonly SlurmSwitch[],
): NonNullable<ScenarioInput["cluster"]["switches"]> {
  return switches.map((each) => ({
    name: each.name,
    ...(each.nodes.length > 0 ? { nodes: compressHostlist(each.nodes) } : {}),
    ...(each.switches.length > 0 ? { switches: [...each.switches] } : {}),
  }));
}

/** QOS by falling priority; equal ones as written. */
function tiersOf(config: SlurmConfig, notes: ConfigNote[]): SlurmScenario["tiers"] {
  const byPriority = config.qos.toSorted((a, b) => b.priority - a.priority);
  const kept = byPriority.slice(0, LIMITS.tiers);
  // The QOS of jobs that name none must have a tier.
  const normal = byPriority.find((qos) => qos.name === "normal");
  if (normal !== undefined && !kept.includes(normal)) kept[kept.length - 1] = normal;
  const left = byPriority.filter((qos) => !kept.includes(qos)).map((qos) => qos.name);
  if (left.length > 0) {
    const sentence = `Only ${LIMITS.tiers} QOS are shown as tiers; without one: ${left.join(", ").slice(0, 200)}.`;
    notes.push(note("QOS", sentence));
  }
  const letters = new Set<string>();
  return kept.map(({ name }) => ({ id: name, name, letter: letterOf(name, letters) }));
}

/** A letter of the name that no tier before it has; two where all are taken. */
function letterOf(name: string, taken: Set<string>): string {
  const marks = [...name.toUpperCase()].filter((mark) => /[A-Z0-9]/.test(mark));
  const pairs = marks.slice(1).map((mark) => `${marks[0]}${mark.toLowerCase()}`);
  const letter = [...marks, ...pairs].find((mark) => !taken.has(mark)) ?? marks[0] ?? "?";
  taken.add(letter);
  return letter;
}

/** Accounts but `root`, in the order of the tree. */
function teamsOf(config: SlurmConfig, notes: ConfigNote[]): SlurmScenario["teams"] {
  const accounts = config.associations.filter((each) => each.user === "" && each.parent >= 0);
  if (accounts.length > LIMITS.teams) {
    notes.push(note("account", `Only ${LIMITS.teams} accounts are shown as teams.`));
  }
  return accounts.slice(0, LIMITS.teams).map(({ account, shares }) => ({
    id: account,
    shares: shares === "parent" ? 1 : Math.min(1_000_000, shares),
  }));
}

function queuesOf(config: SlurmConfig, notes: ConfigNote[]): string[] {
  if (config.partitions.length > MOST_QUEUES) {
    notes.push(note("PartitionName", `Only ${MOST_QUEUES} partitions are shown as queues.`));
  }
  return config.partitions.slice(0, MOST_QUEUES).map((partition) => partition.name);
}
