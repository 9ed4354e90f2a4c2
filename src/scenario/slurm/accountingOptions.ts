/** Options of `sacctmgr add` and `modify`: each sets a field of a QOS or an association through the catalogue; −1 clears a limit. */
import type { TresAmounts } from "../../model/slurm/config.ts";
import type { Option } from "./accountingText.ts";
import { listOf } from "./accountingText.ts";
import { keyOf, named } from "./lex.ts";
import type { Parameter } from "./parameterKinds.ts";
import { parameterValue } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import { PREEMPT_MODE_HELP, preemptWords } from "./preemptMode.ts";
import type { Value } from "./values.ts";
import { timeMs } from "./values.ts";

/** A record that is being filled: a QOS or an association. */
export type Fields = Record<string, unknown>;

/** What became of an option. */
export type Applied = "set" | "unknown" | "ignored" | { readonly wrong: string };

/** Older spellings that name one TRES: `GrpNodes=4` is `GrpTRES=node=4`. */
const ONE_TRES = named<readonly [limit: string, tres: string]>({
  grpcpus: ["GrpTRES", "cpu"],
  grpmem: ["GrpTRES", "mem"],
  grpnodes: ["GrpTRES", "node"],
  grpcpumins: ["GrpTRESMins", "cpu"],
  grpcpurunmins: ["GrpTRESRunMins", "cpu"],
  maxcpus: ["MaxTRESPerJob", "cpu"],
  maxcpusperjob: ["MaxTRESPerJob", "cpu"],
  maxnodes: ["MaxTRESPerJob", "node"],
  maxnodesperjob: ["MaxTRESPerJob", "node"],
  maxcpumins: ["MaxTRESMinsPerJob", "cpu"],
  maxcpuminsperjob: ["MaxTRESMinsPerJob", "cpu"],
  maxcpusperuser: ["MaxTRESPerUser", "cpu"],
  maxcpuspu: ["MaxTRESPerUser", "cpu"],
  maxnodesperuser: ["MaxTRESPerUser", "node"],
  maxnodespu: ["MaxTRESPerUser", "node"],
  mincpus: ["MinTRESPerJob", "cpu"],
});

const HARMLESS = new Set([
  "description",
  "organization",
  "adminlevel",
  "comment",
  "cluster",
  "clusters",
  "name",
  "names",
  "coordinators",
  "withdeleted",
  "email",
  "lineage",
]);

const QOS_FLAGS = named({
  denyonlimit: "denyOnLimit",
  noreserve: "noReserve",
  nodecay: "noDecay",
  overpartqos: "overPartQos",
  enforceusagethreshold: "enforceUsageThreshold",
  partitionmaxnodes: "partitionMaxNodes",
  partitionminnodes: "partitionMinNodes",
  partitiontimelimit: "partitionTimeLimit",
  requiresreservation: "requiresReservation",
  requiredreservation: "requiresReservation",
});

/** Sets what an option says in a QOS or an association. `Qos`, `DefaultAccount` and `Parent` of associations are the caller's. */
export function applyOption(scope: "qos" | "association", option: Option, target: Fields): Applied {
  const old = ONE_TRES.get(option.key);
  if (old !== undefined) {
    const value = `${old[1]}=${option.value}`;
    return applyOption(scope, { ...option, key: keyOf(old[0]), value }, target);
  }
  const parameter = parameterNamed(scope, option.key);
  if (parameter === undefined || parameter.fields.length === 0) {
    return HARMLESS.has(option.key) ? "ignored" : "unknown";
  }
  switch (parameter.name) {
    case "Flags":
      return applyFlags(option, target);
    case "Preempt":
      target.preempt = changedList(target.preempt as readonly string[], option);
      return "set";
    case "GraceTime":
      return take(target, "graceMs", graceMs(option.value));
    case "PreemptMode":
      return applyPreemptMode(option.value, target);
    case "Fairshare":
      return applyShares(option.value, target);
    default:
      return applyPlain(parameter, option.value, target);
  }
}

function applyPlain(parameter: Parameter, text: string, target: Fields): Applied {
  const field = parameter.fields[0]!;
  if (text === "-1" || text === "") {
    delete target[field];
    return "set";
  }
  const read = parameterValue(parameter.kind, text);
  if (!read.ok) return { wrong: read.error };
  if (parameter.kind.is === "tres") {
    target[field] = merged(target[field] as TresAmounts | undefined, read.value as TresAmounts);
  } else if (read.value === Number.POSITIVE_INFINITY && parameter.name.startsWith("Max"))
    delete target[field];
  else target[field] = read.value;
  return "set";
}

/** A modification names only the TRES that it changes; an amount without end takes the limit away. */
function merged(before: TresAmounts | undefined, given: TresAmounts): TresAmounts {
  return Object.fromEntries(
    Object.entries({ ...before, ...given }).filter(
      ([, amount]) => amount !== Number.POSITIVE_INFINITY,
    ),
  );
}

function take(target: Fields, field: string, read: Value<number>): Applied {
  if (!read.ok) return { wrong: read.error };
  target[field] = read.value;
  return "set";
}

/** A bare number is seconds here, unlike everywhere else. */
function graceMs(text: string): Value<number> {
  if (text === "-1" || text === "") return { ok: true, value: 0 };
  if (/^\d{1,9}$/.test(text)) return { ok: true, value: Number(text) * 1_000 };
  const read = timeMs(text);
  return read.ok && read.value !== Number.POSITIVE_INFINITY
    ? read
    : { ok: false, error: "Use a number of seconds." };
}

function applyPreemptMode(text: string, target: Fields): Applied {
  if (text === "" || text === "-1" || keyOf(text) === "cluster") {
    target.preemptMode = null;
    delete target.preemptWithin;
    return "set";
  }
  const words = preemptWords(text);
  if (words === null) return { wrong: `${PREEMPT_MODE_HELP} Or cluster.` };
  const { mode, within } = words;
  target.preemptMode = mode ?? (within ? "within" : null);
  if (within && mode !== null) target.preemptWithin = true;
  else delete target.preemptWithin;
  return "set";
}

function applyShares(text: string, target: Fields): Applied {
  if (keyOf(text) === "parent") target.shares = "parent";
  else if (text === "-1") target.shares = 1;
  else if (/^\d{1,9}$/.test(text)) target.shares = Number(text);
  else return { wrong: "Use a number of shares, or parent." };
  return "set";
}

function applyFlags(option: Option, target: Fields): Applied {
  const names = listOf(option.value).map(keyOf);
  const unknown = names.find((name) => name !== "-1" && !QOS_FLAGS.has(name));
  if (option.op === "=") for (const field of QOS_FLAGS.values()) target[field] = false;
  for (const name of names) {
    const field = QOS_FLAGS.get(name);
    if (field !== undefined) target[field] = option.op !== "-=";
  }
  return unknown === undefined ? "set" : "unknown";
}

/** `=` replaces, `+=` adds, `-=` takes away; a leading `+` or `-` does so for one name. */
export function changedList(before: readonly string[], { op, value }: Option): string[] {
  const list = op === "=" && !/^[+-]/.test(value) ? [] : [...before];
  for (const written of listOf(value)) {
    const minus = op === "-=" || written.startsWith("-");
    const name = written.replace(/^[+-]/, "");
    const at = list.findIndex((known) => keyOf(known) === keyOf(name));
    if (minus) {
      if (at >= 0) list.splice(at, 1);
    } else if (at < 0 && name !== "") list.push(name);
  }
  return list;
}
