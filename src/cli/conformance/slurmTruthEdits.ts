/**
 * Configuration that is changed while a recording runs: the change is made to the texts of the policy, as a user of the page would make it.
 * `scontrol update partitionname=…` changes the words of that line, `sacctmgr …` adds a line.
 */
import type { PolicyEntry } from "../../scenario/schema.ts";

type Files = NonNullable<PolicyEntry["slurm"]>;

/** The files after a change: `line` is added, or, with `pairs`, is the head of the line whose words change. */
export function editedFiles(
  policy: PolicyEntry,
  file: "conf" | "accounting",
  line: string,
  pairs?: ReadonlyMap<string, string>,
): Files {
  const files = policy.slurm;
  if (files === undefined) throw new Error("there is no configuration to change");
  const before = files[file];
  const after =
    pairs === undefined ? `${before.replace(/\n*$/, "")}\n${line}\n` : changed(before, line, pairs);
  return { ...files, [file]: after };
}

function changed(text: string, head: string, pairs: ReadonlyMap<string, string>): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => firstWord(line) === head.toLowerCase());
  if (at < 0) throw new Error(`no line of the configuration begins with ${head}`);
  let words = lines[at]!.trim().split(/\s+/);
  for (const [key, value] of pairs) {
    words = words.filter((word) => !word.toLowerCase().startsWith(`${key}=`));
    words.push(`${key}=${value}`);
  }
  return lines.with(at, words.join(" ")).join("\n");
}

const firstWord = (line: string): string => line.trim().split(/\s+/)[0]!.toLowerCase();
