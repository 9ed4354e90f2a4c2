/**
 * Generic resources of nodes: `Gres=` of slurm.conf (`gpu:8`, `gpu:a100:4(S:0-1)`, `shard:16`) and the lines of gres.conf, which
 * give types to GPUs and their order. MIG slices are GPUs of a type. As in Slurm, slurm.conf says how many there are.
 */
import type { SlurmGres, SlurmNode } from "../../model/slurm/config.ts";
import { expandHostlist } from "./hostlist.ts";
import type { ConfLine } from "./lex.ts";
import { confLines, keyOf } from "./lex.ts";
import type { Draft, Report } from "./report.ts";
import type { Value } from "./values.ts";

const UNIT: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 2 ** 30 };
const MOST_ON_A_NODE = 65_535;

/** The entries of a `Gres=` value. */
export function readGres(text: string): Value<SlurmGres[]> {
  const entries: SlurmGres[] = [];
  for (const written of text.replace(/\([^()]*\)/g, "").split(",")) {
    const entry = written.trim();
    if (entry === "" || entry.toLowerCase() === "(null)") continue;
    const parts = entry.split(":").filter((part) => keyOf(part) !== "no_consume");
    const [name = "", ...rest] = parts;
    const last = rest.at(-1);
    const count = last === undefined ? null : countOf(last);
    const type = rest.slice(0, count === null ? rest.length : -1).join(":");
    if (!/^[\w-]+$/.test(name) || rest.length > 2 || (count === null && last === "")) {
      return {
        ok: false,
        error: "Use name:count or name:type:count, such as gpu:8 or gpu:a100:8.",
      };
    }
    const amount = count ?? 1;
    if (keyOf(name) === "gpu" && amount > MOST_ON_A_NODE) {
      return { ok: false, error: `Use at most ${MOST_ON_A_NODE} GPUs a node.` };
    }
    entries.push({ name: keyOf(name), type, count: amount });
  }
  return { ok: true, value: entries };
}

function countOf(text: string): number | null {
  const match = /^(\d{1,9})([kmg]?)$/i.exec(text);
  return match === null ? null : Number(match[1]) * UNIT[match[2]!.toLowerCase()]!;
}

/** One line of gres.conf that describes devices. */
interface GresLine {
  readonly line: number;
  readonly name: string;
  /** It names the nodes that it is about. */
  readonly named: boolean;
  readonly type: string;
  /** null = the line does not say. */
  readonly count: number | null;
}

const HARMLESS = new Set(["cores", "cpus", "links", "flags", "file", "multiplefiles"]);

/** Gives types and order to the GPUs of the nodes by gres.conf. O(lines × nodes named). */
export function applyGresConf(text: string, nodes: readonly SlurmNode[], report: Report): void {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const linesOfNode = new Map<string, GresLine[]>();
  for (const line of confLines(text)) {
    const read = readLine(line, report);
    if (read === null) continue;
    const { hosts, gres } = read;
    for (const host of hosts ?? byName.keys()) {
      const own = linesOfNode.get(host);
      if (own === undefined) linesOfNode.set(host, [gres]);
      else own.push(gres);
    }
  }
  const told = new Set<number>();
  for (const [name, lines] of linesOfNode) {
    const node = byName.get(name);
    if (node !== undefined) typeGpus(node, lines, told, report);
  }
}

function readLine(
  line: ConfLine,
  report: Report,
): { hosts: readonly string[] | null; gres: GresLine } | null {
  const fields = new Map(line.pairs.map((pair) => [keyOf(pair.key), pair.value]));
  const problem = (key: string, message: string, remedy: string): null => {
    report.problem("gres.conf", line.line, key, message, remedy);
    return null;
  };
  if (fields.has("autodetect") && keyOf(fields.get("autodetect")!) !== "off") {
    const sentence =
      "Devices are not detected here: slurm.conf and the other lines say what there is.";
    report.note("gres.conf", line.line, "AutoDetect", "approximated", sentence);
  }
  for (const pair of line.pairs) {
    const key = keyOf(pair.key);
    if (["nodename", "name", "type", "count", "autodetect"].includes(key) || HARMLESS.has(key))
      continue;
    report.note("gres.conf", line.line, pair.key, "notModelled", `${pair.key} is not known here.`);
  }
  const name = fields.get("name");
  if (name === undefined) return null;
  let hosts: readonly string[] | null = null;
  if (fields.has("nodename")) {
    const expanded = expandHostlist(fields.get("nodename")!);
    if (!expanded.ok)
      return problem("NodeName", capital(expanded.error), "Write node names as n[1-4].");
    hosts = expanded.value;
  }
  const files = expandHostlist(
    fields.get("file") ?? fields.get("multiplefiles") ?? "",
    MOST_ON_A_NODE,
  );
  if (!files.ok)
    return problem("File", capital(files.error), "Write device files as /dev/nvidia[0-7].");
  const stated = fields.get("count");
  const count = stated === undefined ? null : countOf(stated);
  if (stated !== undefined && count === null) {
    return problem("Count", `"${stated}" is no count.`, "Use a whole number.");
  }
  return {
    hosts,
    gres: {
      line: line.line,
      name: keyOf(name),
      named: hosts !== null,
      type: fields.get("type") ?? "",
      count: count ?? devicesIn(fields, files.value.length, line.rest),
    },
  };
}

/** A name of a file with a blank in it cannot be told apart from the next field, so nothing is concluded from it. */
function devicesIn(
  fields: ReadonlyMap<string, string>,
  files: number,
  rest: string,
): number | null {
  if (rest !== "") return null;
  return fields.has("multiplefiles") ? 1 : Math.max(1, files);
}

/** Says what a list of names is wrong about, as a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Gives a node its GPUs by gres.conf. `told`: lines that were noted for another node already. */
function typeGpus(
  node: SlurmNode,
  lines: readonly GresLine[],
  told: Set<number>,
  report: Report,
): void {
  const gpuLines: { line: number; type: string; count: number }[] = [];
  for (const { name, line, type, count } of lines) {
    if (name !== "gpu") continue;
    if (count === null) return;
    gpuLines.push({ line, type, count });
  }
  const [first] = gpuLines;
  if (first === undefined) return;
  const note = (key: string, sentence: string): void => {
    if (told.has(first.line)) return;
    told.add(first.line);
    report.note("gres.conf", first.line, key, "approximated", `${sentence} slurm.conf holds.`);
  };
  const gpus = node.gres.filter((gres) => gres.name === "gpu");
  const total = sum(gpus);
  const found = sum(gpuLines);
  // A line without node names is the same file on every node, also on those without GPUs.
  if (total === 0 && !lines.some((line) => line.named)) return;
  if (found !== total) {
    note("Count", `${node.name} has ${total} GPUs by slurm.conf and ${found} by gres.conf:`);
    return;
  }
  const merged = mergedByType(gpuLines);
  if (gpus.some((gres) => gres.type !== "") && !sameAmounts(gpus, merged)) {
    if (merged.some((gres) => gres.type !== "")) {
      note(
        "Type",
        `The types of the GPUs of ${node.name} differ between slurm.conf and gres.conf:`,
      );
    }
    return;
  }
  (node as Draft<SlurmNode>).gres = [...merged, ...node.gres.filter((gres) => gres.name !== "gpu")];
}

/** Neighbours of one type become one entry; the order is that of the devices. */
function mergedByType(
  lines: readonly { readonly type: string; readonly count: number }[],
): SlurmGres[] {
  const merged: { name: string; type: string; count: number }[] = [];
  for (const { type, count } of lines) {
    const last = merged.at(-1);
    if (last !== undefined && last.type === type) last.count += count;
    else merged.push({ name: "gpu", type, count });
  }
  return merged;
}

function sum(entries: readonly { readonly count: number }[]): number {
  return entries.reduce((total, entry) => total + entry.count, 0);
}

/** Whether two lists have the same number of GPUs of each type. */
function sameAmounts(some: readonly SlurmGres[], others: readonly SlurmGres[]): boolean {
  const types = new Set([...some, ...others].map((gres) => gres.type));
  const of = (list: readonly SlurmGres[], type: string): number =>
    sum(list.filter((gres) => gres.type === type));
  return [...types].every((type) => of(some, type) === of(others, type));
}
