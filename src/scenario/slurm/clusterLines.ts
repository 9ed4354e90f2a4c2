/**
 * The lines of slurm.conf that name nodes, node sets and partitions. A line with the name DEFAULT gives defaults to the lines
 * after it; a host list stands for all its names; names in partitions are resolved at the end, when all nodes are known.
 */
import { LIMITS } from "../../model/limits.ts";
import type { SlurmNode, SlurmPartition } from "../../model/slurm/config.ts";
import { defaultNode, defaultPartition } from "../../model/slurm/defaults.ts";
import type { ClusterWide } from "./globals.ts";
import { capital, readGres } from "./gres.ts";
import { expandHostlist } from "./hostlist.ts";
import type { ConfLine, ConfPair } from "./lex.ts";
import { keyOf } from "./lex.ts";
import { parameterValue } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import { readPartitionField, setByCatalogue } from "./partitionFields.ts";
import type { Draft, Report } from "./report.ts";
import { nameList } from "./values.ts";

const FILE = "slurm.conf";
const NAMES_HELP = "Write names between commas, ranges as n[1-4].";

/** Fields by lower-case key, with the pair that says them. */
type Fields = ReadonlyMap<string, ConfPair>;

export interface ClusterLines {
  readonly nodes: Map<string, SlurmNode>;
  readonly nodeSets: Map<
    string,
    { readonly features: readonly string[]; readonly nodes: readonly string[] }
  >;
  readonly partitions: Map<
    string,
    { readonly line: number; readonly partition: SlurmPartition; readonly nodes: string }
  >;
  nodeDefaults: Fields;
  partitionDefaults: Fields;
}

/** Where reading begins: nothing said of nodes, node sets or partitions yet. */
export function noClusterLines(): ClusterLines {
  return {
    nodes: new Map(),
    nodeSets: new Map(),
    partitions: new Map(),
    nodeDefaults: new Map(),
    partitionDefaults: new Map(),
  };
}

/** Reads a line by its first key; false when the line names nothing of the cluster. */
export function readClusterLine(line: ConfLine, into: ClusterLines, report: Report): boolean {
  const first = line.pairs[0]!;
  switch (keyOf(first.key)) {
    case "nodename":
      readNodes(line, first, into, report);
      return true;
    case "partitionname":
      readPartition(line, first, into, report);
      return true;
    case "nodeset":
      readNodeSet(line, first, into, report);
      return true;
    case "downnodes":
      readDownNodes(line, first, into, report);
      return true;
    case "frontendname":
      report.note(
        FILE,
        line.line,
        first.key,
        "ignored",
        "Front ends do not run jobs of their own.",
      );
      return true;
    default:
      return false;
  }
}

/** The fields of a line after its name, over the defaults before it. */
function fieldsOf(line: ConfLine, defaults: Fields): Fields {
  const fields = new Map(defaults);
  for (const pair of line.pairs.slice(1)) fields.set(keyOf(pair.key), pair);
  return fields;
}

function readNodes(line: ConfLine, first: ConfPair, into: ClusterLines, report: Report): void {
  const fields = fieldsOf(line, into.nodeDefaults);
  if (keyOf(first.value) === "default") {
    into.nodeDefaults = fields;
    return;
  }
  const names = expandHostlist(first.value, LIMITS.nodes - into.nodes.size);
  if (!names.ok) {
    report.problem(FILE, line.line, first.key, capital(names.error), NAMES_HELP);
    return;
  }
  const made = nodeOf(fields, line, report);
  for (const name of names.value) {
    if (into.nodes.has(name)) {
      report.problem(
        FILE,
        line.line,
        first.key,
        `The node ${name} has a line already.`,
        "Give each node one line.",
      );
      return;
    }
    into.nodes.set(name, { ...made, name });
  }
}

/** The node that the fields describe; sockets and CPUs follow from each other where one is missing. */
function nodeOf(fields: Fields, line: ConfLine, report: Report): SlurmNode {
  const node: Draft<SlurmNode> = defaultNode("");
  for (const [key, pair] of fields) {
    if (key === "gres") {
      const gres = readGres(pair.value);
      if (gres.ok) node.gres = gres.value;
      else
        report.problem(
          FILE,
          line.line,
          pair.key,
          `"${pair.value}" is no list of generic resources.`,
          gres.error,
        );
    } else if (key === "state") readNodeState(pair, node, line, report);
    else setByCatalogue("node", pair, node, line, report);
  }
  const boards = Number(fields.get("boards")?.value ?? 1) || 1;
  if (boards > 1 && fields.has("socketsperboard")) node.sockets *= boards;
  const cores = node.coresPerSocket * node.threadsPerCore;
  const saysCpus = fields.has("cpus") || fields.has("procs");
  const saysSockets = fields.has("sockets") || fields.has("socketsperboard");
  if (!saysCpus) node.cpus = node.sockets * cores;
  else if (!saysSockets) node.sockets = Math.max(1, Math.trunc(node.cpus / cores));
  return node;
}

/** `State=DOWN+DRAIN` and the like: the first word that is known. */
function readNodeState(
  pair: ConfPair,
  node: Draft<SlurmNode>,
  line: ConfLine,
  report: Report,
): void {
  const words = pair.value.toUpperCase().split("+");
  if (words.includes("CLOUD")) {
    report.note(
      FILE,
      line.line,
      "State",
      "approximated",
      "Cloud nodes are there from the start: nothing is powered up or down.",
    );
  }
  const kind = parameterNamed("node", "State")!.kind;
  const read = parameterValue(kind, words[0]!);
  if (read.ok) node.state = read.value as SlurmNode["state"];
  else
    report.problem(FILE, line.line, pair.key, `"${pair.value}" is no state of a node.`, read.error);
}

function readNodeSet(line: ConfLine, first: ConfPair, into: ClusterLines, report: Report): void {
  const fields = fieldsOf(line, new Map());
  const names = expandHostlist(fields.get("nodes")?.value ?? "");
  if (!names.ok) {
    report.problem(FILE, line.line, "Nodes", capital(names.error), NAMES_HELP);
    return;
  }
  into.nodeSets.set(first.value, {
    features: nameList(fields.get("feature")?.value ?? fields.get("features")?.value ?? ""),
    nodes: names.value,
  });
}

function readDownNodes(line: ConfLine, first: ConfPair, into: ClusterLines, report: Report): void {
  const fields = fieldsOf(line, new Map());
  const names = expandHostlist(first.value);
  if (!names.ok) {
    report.problem(FILE, line.line, first.key, capital(names.error), NAMES_HELP);
    return;
  }
  for (const name of names.value) {
    const node = into.nodes.get(name);
    if (node === undefined) {
      report.problem(
        FILE,
        line.line,
        first.key,
        `There is no node ${name} in the lines above.`,
        "Put the line below those of the nodes.",
      );
      continue;
    }
    const draft: Draft<SlurmNode> = { ...node, state: "down" };
    const state = fields.get("state");
    if (state !== undefined) readNodeState(state, draft, line, report);
    into.nodes.set(name, draft);
  }
}

function readPartition(line: ConfLine, first: ConfPair, into: ClusterLines, report: Report): void {
  const fields = fieldsOf(line, into.partitionDefaults);
  if (keyOf(first.value) === "default") {
    into.partitionDefaults = fields;
    return;
  }
  for (const name of nameList(first.value)) {
    if (into.partitions.has(name)) {
      const sentence = `The partition ${name} has a line already, which holds, as in Slurm.`;
      report.note(FILE, line.line, first.key, "approximated", sentence);
      continue;
    }
    const partition: Draft<SlurmPartition> = defaultPartition(name);
    for (const pair of fields.values()) readPartitionField(pair, partition, line, report);
    into.partitions.set(name, {
      line: line.line,
      partition,
      nodes: fields.get("nodes")?.value ?? "",
    });
  }
}

/**
 * The partitions with their nodes by name. A name that no node line and no node of the pool has is a problem. O(partitions ×
 * nodes).
 */
export function resolvePartitions(
  lines: ClusterLines,
  poolNodes: readonly string[],
  wide: ClusterWide,
  report: Report,
): SlurmPartition[] {
  const known = new Set([...lines.nodes.keys(), ...poolNodes]);
  // Sites give many partitions the same nodes.
  const listOf = new Map<string, string[] | null>();
  const namesOf = (text: string, line: number): string[] | null => {
    const read = listOf.get(text);
    if (read !== undefined) return read;
    const names = nodesOf(text, lines, known, line, report);
    listOf.set(text, names);
    return names;
  };
  return [...lines.partitions.values()].map(({ line, partition, nodes }) => {
    const resolved = { ...partition, nodes: namesOf(nodes, line) };
    if (resolved.defMemPerCpuMiB === 0 && resolved.defMemPerNodeMiB === 0) {
      resolved.defMemPerCpuMiB = wide.defMemPerCpuMiB;
      resolved.defMemPerNodeMiB = wide.defMemPerNodeMiB;
    }
    if (resolved.defCpuPerGpu === 0) resolved.defCpuPerGpu = wide.defCpuPerGpu;
    if (resolved.defMemPerGpuMiB === 0) resolved.defMemPerGpuMiB = wide.defMemPerGpuMiB;
    resolved.disableRootJobs ||= wide.disableRootJobs;
    return resolved;
  });
}

function nodesOf(
  text: string,
  lines: ClusterLines,
  known: ReadonlySet<string>,
  line: number,
  report: Report,
): string[] | null {
  if (keyOf(text) === "all") return null;
  const names = expandHostlist(text);
  if (!names.ok) {
    report.problem(FILE, line, "Nodes", capital(names.error), NAMES_HELP);
    return [];
  }
  const found = new Set<string>();
  const unknown: string[] = [];
  for (const name of names.value) {
    const set = lines.nodeSets.get(name);
    if (set === undefined) {
      if (known.size === 0 || known.has(name)) found.add(name);
      else unknown.push(name);
      continue;
    }
    for (const node of set.nodes) found.add(node);
    for (const node of lines.nodes.values()) {
      if (set.features.some((feature) => node.features.includes(feature))) found.add(node.name);
    }
  }
  if (unknown.length > 0) {
    const others = unknown.length > 1 ? ` (and ${unknown.length - 1} more)` : "";
    report.problem(
      FILE,
      line,
      "Nodes",
      `There is no node ${unknown[0]}${others}.`,
      "Add a NodeName line for it, or correct the name.",
    );
  }
  return [...found];
}
