/** topology.conf: leaves with their nodes, and switches above them, as topology.conf(5) says for topology/tree. */
import type { SlurmSwitch } from "../../model/slurm/config.ts";
import { capital } from "./gres.ts";
import { expandHostlist } from "./hostlist.ts";
import type { ConfLine } from "./lex.ts";
import { confLines, keyOf } from "./lex.ts";
import type { Report } from "./report.ts";
import { wholeNumber } from "./values.ts";

const FILE = "topology.conf";

/**
 * The switches of a topology.conf in the order written. `nodeNames`: names that exist; others are left out with a note, as
 * slurmctld does (null: not known). O(text + names).
 */
export function readTopology(
  text: string,
  nodeNames: ReadonlySet<string> | null,
  report: Report,
): SlurmSwitch[] {
  const switches: SlurmSwitch[] = [];
  if (/^\s*---/.test(text) || /^\s*-\s*topology:/m.test(text)) {
    report.note(
      FILE,
      1,
      "topology.yaml",
      "notModelled",
      "topology.yaml is not read; write topology.conf.",
    );
    return switches;
  }
  const lines = confLines(text);
  for (const line of lines) readLine(line, nodeNames, switches, report);
  checkTree(switches, lines, report);
  return switches;
}

function readLine(
  line: ConfLine,
  nodeNames: ReadonlySet<string> | null,
  switches: SlurmSwitch[],
  report: Report,
): void {
  const first = line.pairs[0];
  if (first === undefined || line.rest !== "") {
    report.problem(
      FILE,
      line.line,
      "line",
      `"${line.rest}" is no Key=Value.`,
      "Write SwitchName=leaf1 Nodes=n[1-4].",
    );
    return;
  }
  if (keyOf(first.key) !== "switchname") {
    report.note(FILE, line.line, first.key, "notModelled", `${first.key} is not modelled.`);
    return;
  }
  const made = { nodes: [] as string[], switches: [] as string[], linkSpeed: 1 };
  for (const pair of line.pairs.slice(1)) {
    const key = keyOf(pair.key);
    if (key === "nodes" || key === "switches") {
      const list = expandHostlist(pair.value);
      if (!list.ok)
        report.problem(FILE, line.line, pair.key, capital(list.error), "Write names as n[1-4].");
      else made[key] = list.value;
    } else if (key === "linkspeed") {
      const speed = wholeNumber(pair.value, 0, 2 ** 32);
      if (!speed.ok)
        report.problem(FILE, line.line, pair.key, `"${pair.value}" is no speed.`, speed.error);
      else made.linkSpeed = speed.value;
    } else report.note(FILE, line.line, pair.key, "notModelled", `${pair.key} is not known here.`);
  }
  const unknown = nodeNames === null ? [] : made.nodes.filter((name) => !nodeNames.has(name));
  if (unknown.length > 0) {
    const who =
      unknown.length > 3
        ? `${unknown.slice(0, 3).join(", ")} and ${unknown.length - 3} more`
        : unknown.join(", ");
    report.note(
      FILE,
      line.line,
      first.value,
      "approximated",
      `slurm.conf has no node ${who}: left out, as slurmctld does.`,
    );
    made.nodes = made.nodes.filter((name) => !unknown.includes(name));
  }
  const names = expandHostlist(first.value);
  if (!names.ok) {
    report.problem(FILE, line.line, "SwitchName", capital(names.error), "Write one name.");
    return;
  }
  for (const name of names.value) switches.push({ name, ...made });
}

/** Every switch named below another exists, once, and nothing hangs below itself. */
function checkTree(
  switches: readonly SlurmSwitch[],
  lines: readonly ConfLine[],
  report: Report,
): void {
  const byName = new Map<string, SlurmSwitch>();
  const lineOf = (name: string): number => {
    return lines.find((line) => line.pairs[0]?.value === name)?.line ?? 1;
  };
  for (const each of switches) {
    if (byName.has(each.name)) {
      report.problem(
        FILE,
        lineOf(each.name),
        "SwitchName",
        `There are two switches ${each.name}.`,
        "Give each switch one line.",
      );
    }
    byName.set(each.name, each);
  }
  const done = new Set<string>();
  for (const top of switches) {
    const missing = top.switches.filter((name) => !byName.has(name));
    if (missing.length > 0) {
      report.problem(
        FILE,
        lineOf(top.name),
        "Switches",
        `There is no switch ${missing[0]}.`,
        "Add a line for it, or leave it out.",
      );
    }
    if (loops(top.name, byName, done)) {
      report.problem(
        FILE,
        lineOf(top.name),
        "Switches",
        `The switch ${top.name} hangs below itself.`,
        "Take one of the two links out.",
      );
    }
  }
}

/** Depth-first walk without recursion: deep chains must not exhaust the stack. */
function loops(
  start: string,
  byName: ReadonlyMap<string, SlurmSwitch>,
  done: Set<string>,
): boolean {
  const path = new Set<string>();
  const stack: { name: string; leaving: boolean }[] = [{ name: start, leaving: false }];
  while (stack.length > 0) {
    const { name, leaving } = stack.pop()!;
    if (leaving) {
      path.delete(name);
      done.add(name);
      continue;
    }
    if (path.has(name)) return true;
    if (done.has(name)) continue;
    path.add(name);
    stack.push({ name, leaving: true });
    for (const child of byName.get(name)?.switches ?? [])
      stack.push({ name: child, leaving: false });
  }
  return false;
}
