/**
 * Configuration that is changed while a recording runs: the change is made to the texts of the policy, as a user of the page would make it.
 * `scontrol update partitionname=…` changes the words of that line, `sacctmgr …` adds a line.
 */
import type { PolicyEntry } from "../../scenario/schema.ts";
import { type LineName, withValue } from "../../scenario/slurm/editText.ts";

type Files = NonNullable<PolicyEntry["slurm"]>;

const filesOf = (policy: PolicyEntry): Files => {
  if (policy.slurm === undefined) throw new Error("there is no configuration to change");
  return policy.slurm;
};

/** The files with one more command of `sacctmgr`. */
export function withAccounting(policy: PolicyEntry, line: string): Files {
  const files = filesOf(policy);
  return { ...files, accounting: `${files.accounting.replace(/\n*$/, "")}\n${line}\n` };
}

/** The files with other words in the line of a partition or of nodes. Throws where there is no such line. */
export function withConf(
  policy: PolicyEntry,
  of: LineName,
  pairs: ReadonlyMap<string, string>,
): Files {
  const files = filesOf(policy);
  const head = `${of.key}=${of.name}`.toLowerCase();
  if (!files.conf.split("\n").some((line) => line.trim().toLowerCase().split(/\s/)[0] === head))
    throw new Error(`no line of the configuration begins with ${of.key}=${of.name}`);
  let conf = files.conf;
  for (const [key, value] of pairs) conf = withValue(conf, key, value, undefined, of);
  return { ...files, conf };
}
