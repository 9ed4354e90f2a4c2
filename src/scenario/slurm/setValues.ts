/**
 * What the texts of a configuration set, by parameter, as written: the values that a form shows and between which two
 * configurations differ. One reading of the texts gives all of them, so that a form follows every key press.
 */
import type { AccountingLine, Option } from "./accountingText.ts";
import { accountingLines, listOf } from "./accountingText.ts";
import type { ConfLine } from "./lex.ts";
import { confLines, keyOf } from "./lex.ts";
import type { ParameterScope } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import type { SlurmFiles } from "./report.ts";
import { nameList } from "./values.ts";

export interface SetValue {
  /** As in the manual where it is known, else as written. */
  readonly name: string;
  /** The key as it stands in the text: an older or shorter spelling, in any case. */
  readonly written: string;
  readonly value: string;
  /** In its file, from 1. */
  readonly line: number;
}

/** One partition, one line of nodes, one QOS, one account or user. */
export interface SetOwner {
  readonly name: string;
  readonly line: number;
  /** By parameter (`keyOf`); the last value of each holds. */
  readonly values: ReadonlyMap<string, SetValue>;
}

export interface SetValues {
  readonly global: ReadonlyMap<string, SetValue>;
  /** The options of `SchedulerParameters`; a flag has the value `yes`. */
  readonly scheduler: ReadonlyMap<string, SetValue>;
  readonly partitions: readonly SetOwner[];
  readonly nodes: readonly SetOwner[];
  readonly qos: readonly SetOwner[];
  readonly accounts: readonly SetOwner[];
  readonly users: readonly SetOwner[];
}

interface Owner extends SetOwner {
  readonly values: Map<string, SetValue>;
}

/** The values that the texts set. O(texts). */
export function setValues(files: SlurmFiles): SetValues {
  return {
    ...remembered(confs, files.conf, confValues),
    ...remembered(accountings, files.accounting, accountingValues),
  };
}

/** The last texts that were read: while one is edited, form and preview ask for the same ones at each key. */
const confs = new Map<string, ReturnType<typeof confValues>>();
const accountings = new Map<string, ReturnType<typeof accountingValues>>();
const REMEMBERED = 4;

function remembered<T>(known: Map<string, T>, text: string, read: (text: string) => T): T {
  const found = known.get(text) ?? read(text);
  known.delete(text);
  known.set(text, found);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  return found;
}

function confValues(
  conf: string,
): Pick<SetValues, "global" | "scheduler" | "partitions" | "nodes"> {
  const global = new Map<string, SetValue>();
  const scheduler = new Map<string, SetValue>();
  const partitions: Owner[] = [];
  const nodes: Owner[] = [];
  for (const line of confLines(conf)) readConfLine(line, global, scheduler, partitions, nodes);
  return { global, scheduler, partitions, nodes };
}

function readConfLine(
  line: ConfLine,
  global: Map<string, SetValue>,
  scheduler: Map<string, SetValue>,
  partitions: Owner[],
  nodes: Owner[],
): void {
  const [first, ...rest] = line.pairs;
  if (first === undefined) return;
  const kind = keyOf(first.key);
  if (kind === "partitionname" || kind === "nodename") {
    const scope = kind === "nodename" ? "node" : "partition";
    // Of two lines for a partition the first holds.
    const isTwice = kind === "partitionname" && partitions.some(({ name }) => name === first.value);
    if (isTwice && keyOf(first.value) !== "default") return;
    const owner = ownerOf(kind === "nodename" ? nodes : partitions, first.value, line.line);
    for (const pair of rest) put(owner.values, scope, pair.key, pair.value, line.line);
    return;
  }
  if (["nodeset", "downnodes", "frontendname"].includes(kind)) return;
  for (const pair of line.pairs) {
    if (keyOf(pair.key) !== "schedulerparameters") {
      put(global, "global", pair.key, pair.value, line.line);
      continue;
    }
    // The last line of them holds, as a whole.
    scheduler.clear();
    for (const entry of nameList(pair.value)) {
      const at = entry.indexOf("=");
      const [key, value] = at < 0 ? [entry, "yes"] : [entry.slice(0, at), entry.slice(at + 1)];
      if (!scheduler.has(keyOf(parameterNamed("scheduler", key)?.name ?? key)))
        put(scheduler, "scheduler", key, value, line.line);
    }
  }
}

function ownerOf(list: Owner[], name: string, line: number): Owner {
  const known = list.find((each) => each.name === name);
  if (known !== undefined) return known;
  const made: Owner = { name, line, values: new Map() };
  list.push(made);
  return made;
}

function put(
  values: Map<string, SetValue>,
  scope: ParameterScope,
  key: string,
  value: string,
  line: number,
): void {
  const name = parameterNamed(scope, key)?.name ?? key;
  values.set(keyOf(name), { name, written: key, value, line });
}

type Entity = "qos" | "account" | "user";
type Owners = Map<string, Owner>;

function accountingValues(text: string): Pick<SetValues, "qos" | "accounts" | "users"> {
  const owners: Record<Entity, Owners> = { qos: new Map(), account: new Map(), user: new Map() };
  owners.qos.set("normal", { name: "normal", line: 0, values: new Map() });
  for (const line of accountingLines(text)) readAccountingLine(line, owners);
  return {
    qos: [...owners.qos.values()],
    accounts: [...owners.account.values()],
    users: [...owners.user.values()],
  };
}

function readAccountingLine(
  { command, line }: AccountingLine,
  owners: Record<Entity, Owners>,
): void {
  if (command === null) return;
  const entity = command.entity as Entity;
  const known = owners[entity];
  if (known === undefined) return;
  if (command.form === "dump") {
    take(known, entity, command.name, command.set, line);
    return;
  }
  const { action, names, where, set } = command;
  const isName = (option: Option) => ["name", "names", entity].includes(option.key);
  const keyed = where.filter(isName).flatMap((option) => listOf(option.value));
  const all = [...names, ...keyed];
  const options = [...where.filter((option) => !isName(option)), ...set];
  if (action === "add") for (const name of all) take(known, entity, name, options, line);
  if (action === "delete") for (const name of all) known.delete(keyOf(name));
  if (action !== "modify") return;
  const meant = all.length > 0 ? all : [...known.values()].map((owner) => owner.name);
  for (const name of meant) take(known, entity, name, set, line);
}

function take(
  owners: Owners,
  entity: Entity,
  name: string,
  options: readonly Option[],
  line: number,
): void {
  const owner = owners.get(keyOf(name)) ?? { name, line, values: new Map() };
  owners.set(keyOf(name), owner);
  const scope = entity === "qos" ? "qos" : "association";
  for (const option of options) {
    const parameter = parameterNamed(scope, option.key);
    const key = keyOf(parameter?.name ?? option.key);
    const before = owner.values.get(key)?.value ?? "";
    put(owner.values, scope, option.key, joined(before, option), line);
  }
}

/** `preempt+=low` after `preempt=normal` is `normal,low`. */
function joined(before: string, { op, value }: Option): string {
  if (op === "=") return value;
  const list = listOf(before);
  const changed = new Set(listOf(value).map(keyOf));
  const kept = list.filter((name) => !changed.has(keyOf(name)));
  return op === "-=" ? kept.join(",") : [...kept, ...listOf(value)].join(",");
}
