/**
 * One setting of a form changed or taken away in the texts: whatever file it stands in, and under the spelling that stands there.
 * The texts stay the truth; the form has no values of its own.
 */
import type { AccountingEntity } from "./editAccounting.ts";
import { withAccountingValue, withoutAccountingValue } from "./editAccounting.ts";
import type { LineName } from "./editText.ts";
import { withoutValue, withValue } from "./editText.ts";
import type { Parameter } from "./parameterKinds.ts";
import type { SlurmFiles } from "./report.ts";
import type { SetValue } from "./setValues.ts";

/** Whose setting it is: the cluster's, or that of one partition, node line, QOS, account or user. */
export type SettingOwner =
  | { readonly kind: "cluster" }
  | { readonly kind: "partition" | "node" | AccountingEntity; readonly name: string };

const LINE_KEYS = { partition: "PartitionName", node: "NodeName" } as const;

/** The texts with the setting in place; an empty value takes it away. `set`: how it stands there now. O(text). */
export function withSetting(
  files: SlurmFiles,
  owner: SettingOwner,
  parameter: Parameter,
  set: SetValue | undefined,
  value: string,
): SlurmFiles {
  switch (owner.kind) {
    case "qos":
    case "account":
    case "user": {
      const { name: key, standard } = parameter;
      const { kind, name } = owner;
      const accounting =
        value === ""
          ? withoutAccountingValue(files.accounting, kind, name, key, standard || "-1")
          : withAccountingValue(files.accounting, kind, name, key, value);
      return { ...files, accounting };
    }
    case "partition":
    case "node":
      return {
        ...files,
        conf: inConf(files.conf, parameter, set, value, {
          key: LINE_KEYS[owner.kind],
          name: owner.name,
        }),
      };
    case "cluster":
      return { ...files, conf: inConf(files.conf, parameter, set, value) };
  }
}

function inConf(
  conf: string,
  parameter: Parameter,
  set: SetValue | undefined,
  value: string,
  of?: LineName,
): string {
  const key = set?.written ?? parameter.name;
  if (parameter.scope === "scheduler")
    return value === ""
      ? withoutValue(conf, "SchedulerParameters", key)
      : withValue(conf, "SchedulerParameters", plain(value, /[,\s"#]/g), key);
  return value === ""
    ? withoutValue(conf, key, undefined, of)
    : withValue(conf, key, plain(value, /["\n]/g), undefined, of);
}

/** Without characters that would end the value in its file. */
function plain(value: string, marks: RegExp): string {
  return value.replace(marks, "");
}
