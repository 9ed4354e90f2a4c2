/**
 * The accounting database while commands change it. QOS `normal`, account `root` and user `root` (one share at the top) are
 * there from the start, as in a new database. Names are found in any case and kept as first written.
 */
import { LIMITS } from "../../model/limits.ts";
import { defaultQos } from "../../model/slurm/defaults.ts";
import type { Fields } from "./accountingOptions.ts";
import { applyOption, changedList } from "./accountingOptions.ts";
import type { Option, SacctmgrCommand } from "./accountingText.ts";
import { listOf } from "./accountingText.ts";
import type { Entry } from "./accountingTree.ts";
import { newEntry } from "./accountingTree.ts";
import { keyOf } from "./lex.ts";
import type { Report } from "./report.ts";

export const FILE = "sacctmgr";
const MOST_ASSOCIATIONS = 16 * LIMITS.teams;

export interface Database {
  readonly qos: Map<string, Fields>;
  readonly root: Entry;
  readonly accounts: Map<string, Entry>;
  /** Associations by user, in the order made. */
  readonly users: Map<string, Entry[]>;
  readonly defaultAccounts: Map<string, string>;
  /** The parent of the lines that follow, in a dump. */
  dumpParent: string;
  count: number;
  touched: boolean;
  readonly report: Report;
}

/** What slurmdbd has before any command: account and user `root`, QOS `normal`. */
export function newDatabase(report: Report): Database {
  const root = newEntry("root", "", "", null);
  root.qos = ["normal"];
  const rootUser = newEntry("root", "root", "", root);
  return {
    qos: new Map([["normal", newQos("normal")]]),
    root,
    accounts: new Map([["root", root]]),
    users: new Map([["root", [rootUser]]]),
    defaultAccounts: new Map([["root", "root"]]),
    dumpParent: "root",
    count: 2,
    touched: false,
    report,
  };
}

/** A QOS without limits. */
export function newQos(name: string): Fields {
  return { ...defaultQos(name) };
}

/** Names given without a key or under one of these keys. */
export function namesOf(command: SacctmgrCommand, ...keys: readonly string[]): string[] {
  const named = command.where.filter((option) => keys.includes(option.key));
  return [...command.names, ...named.flatMap((option) => listOf(option.value))];
}

/** Values given under one of these keys, lists taken apart. */
export function valuesOf(command: SacctmgrCommand, ...keys: readonly string[]): string[] {
  return command.where.filter((o) => keys.includes(o.key)).flatMap((o) => listOf(o.value));
}

/** Notes or problems for an option that could not be applied; nothing for one that was. */
export function told(
  applied: ReturnType<typeof applyOption>,
  option: Option,
  line: number,
  { report }: Database,
): void {
  if (applied === "unknown") {
    report.note(
      FILE,
      line,
      option.key,
      "notModelled",
      `${option.key}=${option.value.slice(0, 40)} is not known here.`,
    );
  } else if (typeof applied === "object") {
    report.problem(
      FILE,
      line,
      option.key,
      `"${option.value}" is no value of ${option.key}.`,
      applied.wrong,
    );
  }
}

/** The problem that a command names what nobody has added; `command` is what would add it. */
export function noSuch(
  what: string,
  name: string,
  command: string,
  line: number,
  { report }: Database,
): void {
  report.problem(
    FILE,
    line,
    name,
    `There is no ${what} ${name} in the lines above.`,
    `Put "${command} ${name}" before this line.`,
  );
}

/** All associations, accounts before users. */
export function* entriesOf(database: Database): Generator<Entry> {
  yield* database.accounts.values();
  for (const list of database.users.values()) yield* list;
}

/** Whether the tree has reached its bound; says so once. */
export function full(line: number, database: Database): boolean {
  database.count += 1;
  if (database.count === MOST_ASSOCIATIONS + 1) {
    const message = `There are more than ${MOST_ASSOCIATIONS} associations.`;
    database.report.problem(FILE, line, "associations", message, "Leave some out.");
  }
  return database.count > MOST_ASSOCIATIONS;
}

/** Keys that say which entries are meant, not what they get. */
const SELECTORS = new Set([
  "name",
  "names",
  "account",
  "accounts",
  "acct",
  "user",
  "users",
  "parent",
  "parents",
  "partition",
  "partitions",
  "cluster",
  "clusters",
]);

/** Sets the options of a command in one association; those that only select are passed over. */
export function applyAll(
  options: readonly Option[],
  entry: Entry,
  line: number,
  database: Database,
): void {
  for (const option of options) {
    if (SELECTORS.has(option.key)) continue;
    if (option.key === "qos" || option.key === "qoslevel") {
      if (option.op === "=" && !/^[+-]/.test(option.value))
        Object.assign(entry, { qos: [], changes: [] });
      if (entry.qos !== null) entry.qos = changedList(entry.qos, option);
      else entry.changes.push(option);
    } else if (option.key === "defaultaccount")
      database.defaultAccounts.set(keyOf(entry.user), option.value);
    else told(applyOption("association", option, entry.fields), option, line, database);
  }
}
