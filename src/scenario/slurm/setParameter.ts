/**
 * One parameter set by its name, whatever file it stands in: `bf_interval`, `PriorityType`, `partition.main.MaxTime`,
 * `node.n[1-4].Weight`, `qos.high.Priority`, `account.a.Fairshare`. The text is edited and read again, so that a value that is
 * wrong is told in the words of the file.
 */
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import { withAccountingValue } from "./editAccounting.ts";
import { withoutValue, withValue } from "./editText.ts";
import { keyOf } from "./lex.ts";
import type { ParameterScope } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import type { SlurmFiles } from "./report.ts";

const LINE_KEYS = { partition: "PartitionName", node: "NodeName" } as const;

interface Named {
  readonly scope: ParameterScope;
  /** Of the partition, node line, QOS, account or user; "" = of the cluster. */
  readonly owner: string;
  readonly entity: string;
  readonly key: string;
}

/** The files with the parameter set; an empty value takes it away. Fails with a sentence for a name that is not known. O(text). */
export function withParameter(
  files: SlurmFiles,
  name: string,
  value: string,
): Result<SlurmFiles, string> {
  const named = nameOf(name);
  const parameter = named === null ? undefined : parameterNamed(named.scope, named.key);
  if (named === null || parameter === undefined || parameter.standing === "notModelled") {
    return err(`Slurm's "${name}" is not modelled.`);
  }
  const { entity, owner } = named;
  if (entity === "qos" || entity === "account" || entity === "user") {
    if (value === "") return err(`"${name}" needs a value; -1 takes a limit away.`);
    return ok({
      ...files,
      accounting: withAccountingValue(files.accounting, entity, owner, parameter.name, value),
    });
  }
  return ok({ ...files, conf: edited(files.conf, named, parameter.name, value) });
}

function edited(conf: string, { scope, owner }: Named, key: string, value: string): string {
  if (scope === "scheduler") {
    return value === ""
      ? withoutValue(conf, "SchedulerParameters", key)
      : withValue(conf, "SchedulerParameters", value, key);
  }
  if (scope !== "partition" && scope !== "node") {
    return value === "" ? withoutValue(conf, key) : withValue(conf, key, value);
  }
  const of = { key: LINE_KEYS[scope], name: owner };
  return value === ""
    ? withoutValue(conf, key, undefined, of)
    : withValue(conf, key, value, undefined, of);
}

/** Names of partitions may have dots: the kind ends at the first, the key begins after the last. */
function nameOf(name: string): Named | null {
  const first = name.indexOf(".");
  const last = name.lastIndexOf(".");
  if (first < 0) {
    const scope = parameterNamed("scheduler", name) === undefined ? "global" : "scheduler";
    return { scope, owner: "", entity: "", key: name };
  }
  const entity = keyOf(name.slice(0, first));
  const owner = name.slice(first + 1, last);
  const key = name.slice(last + 1);
  if (owner === "" || last === first) return null;
  switch (entity) {
    case "partition":
    case "node":
    case "qos":
      return { scope: entity, owner, entity, key };
    case "account":
    case "user":
      return { scope: "association", owner, entity, key };
    default:
      return null;
  }
}
