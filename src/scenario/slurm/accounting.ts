/**
 * The accounting database as commands build it: QOS, and the tree of accounts and users. QOS `normal`, account `root` and user
 * `root` (one share at the top) are there from the start, as in a new database. At the end limits and QOS pass down the tree as
 * slurmdbd passes them down: those of one job or user (`Max…`), never the `Grp…` ones.
 */

import { LIMITS } from "../../model/limits.ts";
import type { SlurmAssociation, SlurmQos } from "../../model/slurm/config.ts";
import type { Fields } from "./accountingOptions.ts";
import { applyOption, changedList } from "./accountingOptions.ts";
import type { AccountingLine, DumpLine, Option, SacctmgrCommand } from "./accountingText.ts";
import { accountingLines, listOf } from "./accountingText.ts";
import type { Entry } from "./accountingTree.ts";
import { associationsInPreorder, newEntry } from "./accountingTree.ts";
import { defaultQos } from "./defaults.ts";
import { keyOf } from "./lex.ts";
import type { Report } from "./report.ts";

export interface Accounting {
  readonly qos: readonly SlurmQos[];
  /** Preorder; empty when the text names neither account nor user. */
  readonly associations: readonly SlurmAssociation[];
}

const FILE = "sacctmgr";
const MOST_ASSOCIATIONS = 16 * LIMITS.teams;
const MOST_QOS = 1_024;

interface Database {
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

/** Reads commands or a dump. O(text + associations). */
export function readAccounting(text: string, report: Report): Accounting {
  const database = newDatabase(report);
  for (const line of accountingLines(text)) readLine(line, database);
  const qos = [...database.qos.values()] as unknown as SlurmQos[];
  checkQosNames(database);
  const associations = database.touched
    ? associationsInPreorder(database.root, database.defaultAccounts)
    : [];
  return { qos, associations };
}

function newDatabase(report: Report): Database {
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

function newQos(name: string): Fields {
  return { ...defaultQos(name) };
}

function readLine(line: AccountingLine, database: Database): void {
  const { command } = line;
  const { report } = database;
  if (command === null) {
    const sentence = `"${line.text.slice(0, 60)}" is no command of sacctmgr that is read here.`;
    report.note(FILE, line.line, "line", "notModelled", sentence);
  } else if (command.form === "dump") readDumpLine(command, line.line, database);
  else readCommand(command, line.line, database);
}

function readCommand(command: SacctmgrCommand, line: number, database: Database): void {
  const { action, entity } = command;
  if (action === "other") {
    database.report.note(FILE, line, entity, "ignored", "It shows something and changes nothing.");
    return;
  }
  const reader = READERS[`${action} ${entity}`];
  if (reader === undefined) {
    const sentence = `${action} ${entity === "" ? "without an entity" : entity} is not modelled.`;
    database.report.note(FILE, line, entity, "notModelled", sentence);
  } else reader(command, line, database);
}

type CommandReader = (command: SacctmgrCommand, line: number, database: Database) => void;

const READERS: Readonly<Record<string, CommandReader>> = {
  "add qos": addQos,
  "modify qos": modifyQos,
  "delete qos": deleteQos,
  "add account": addAccounts,
  "modify account": modifyAccounts,
  "delete account": deleteAccounts,
  "add user": addUsers,
  "modify user": modifyUsers,
  "delete user": deleteUsers,
  "add cluster": (command, line, database) => {
    applyAll([...command.where, ...command.set], database.root, line, database);
  },
  "modify cluster": (command, line, database) => {
    applyAll(command.set, database.root, line, database);
  },
};

/** Names given without a key or under one of these keys. */
function namesOf(command: SacctmgrCommand, ...keys: readonly string[]): string[] {
  const named = command.where.filter((option) => keys.includes(option.key));
  return [...command.names, ...named.flatMap((option) => listOf(option.value))];
}

function valuesOf(command: SacctmgrCommand, ...keys: readonly string[]): string[] {
  return command.where.filter((o) => keys.includes(o.key)).flatMap((o) => listOf(o.value));
}

function addQos(command: SacctmgrCommand, line: number, database: Database): void {
  for (const name of namesOf(command, "name", "names", "qos")) {
    if (database.qos.has(keyOf(name))) continue;
    if (database.qos.size >= MOST_QOS) {
      database.report.problem(
        FILE,
        line,
        "qos",
        `There are more than ${MOST_QOS} QOS.`,
        "Leave some out.",
      );
      return;
    }
    const made = newQos(name);
    database.qos.set(keyOf(name), made);
    applyQos([...command.where, ...command.set], made, line, database);
  }
}

function modifyQos(command: SacctmgrCommand, line: number, database: Database): void {
  const names = namesOf(command, "name", "names", "qos");
  const chosen = names.length > 0 ? names : [...database.qos.keys()];
  for (const name of chosen) {
    const qos = database.qos.get(keyOf(name));
    if (qos === undefined) noSuch("QOS", name, "add qos", line, database);
    else applyQos(command.set, qos, line, database);
  }
}

function deleteQos(command: SacctmgrCommand, line: number, database: Database): void {
  for (const name of namesOf(command, "name", "names", "qos")) {
    if (keyOf(name) === "normal") {
      const sentence =
        "QOS normal stays as the QOS of jobs that have no other; associations lose it.";
      database.report.note(FILE, line, "normal", "approximated", sentence);
    } else database.qos.delete(keyOf(name));
    for (const entry of entriesOf(database)) {
      if (entry.qos !== null) entry.qos = entry.qos.filter((known) => keyOf(known) !== keyOf(name));
    }
    for (const qos of database.qos.values()) {
      qos.preempt = (qos.preempt as string[]).filter((known) => keyOf(known) !== keyOf(name));
    }
  }
}

function applyQos(options: readonly Option[], qos: Fields, line: number, database: Database): void {
  for (const option of options) {
    if (option.key === "qos") continue;
    const before = { ...qos };
    told(applyOption("qos", option, qos), option, line, database);
    // A cleared field of a QOS that has a default goes back to it.
    for (const [field, value] of Object.entries(defaultQos(String(qos.name)))) {
      if (!(field in qos) && field in before) qos[field] = value;
    }
  }
}

function told(
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

function noSuch(
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

function addAccounts(command: SacctmgrCommand, line: number, database: Database): void {
  const [parentName = "root"] = valuesOf(command, "parent", "parents");
  const parent = database.accounts.get(keyOf(parentName));
  if (parent === undefined) {
    noSuch("account", parentName, "add account", line, database);
    return;
  }
  for (const name of namesOf(command, "name", "names", "account", "accounts", "acct")) {
    addAccount(name, parent, [...command.where, ...command.set], line, database);
  }
}

function addAccount(
  name: string,
  parent: Entry,
  options: readonly Option[],
  line: number,
  database: Database,
): void {
  database.touched = true;
  if (database.accounts.has(keyOf(name)) || full(line, database)) return;
  const entry = newEntry(name, "", "", parent);
  database.accounts.set(keyOf(name), entry);
  applyAll(options, entry, line, database);
}

/** Whether the tree has reached its bound; says so once. */
function full(line: number, database: Database): boolean {
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

function applyAll(
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

function modifyAccounts(command: SacctmgrCommand, line: number, database: Database): void {
  for (const name of namesOf(command, "name", "names", "account", "accounts", "acct")) {
    const entry = database.accounts.get(keyOf(name));
    if (entry === undefined) {
      noSuch("account", name, "add account", line, database);
      continue;
    }
    applyAll(command.set, entry, line, database);
    const moved = command.set.find((option) => option.key === "parent");
    if (moved !== undefined) moveAccount(entry, moved.value, line, database);
  }
}

function moveAccount(entry: Entry, to: string, line: number, database: Database): void {
  const parent = database.accounts.get(keyOf(to));
  if (parent === undefined) {
    noSuch("account", to, "add account", line, database);
    return;
  }
  for (let above: Entry | null = parent; above !== null; above = above.parent) {
    if (above !== entry) continue;
    database.report.problem(
      FILE,
      line,
      "parent",
      `${to} lies below ${entry.account}.`,
      "Choose an account that does not.",
    );
    return;
  }
  detach(entry);
  entry.parent = parent;
  parent.children.push(entry);
}

function detach(entry: Entry): void {
  const { parent } = entry;
  if (parent !== null) parent.children = parent.children.filter((child) => child !== entry);
}

function deleteAccounts(command: SacctmgrCommand, _line: number, database: Database): void {
  for (const name of namesOf(command, "name", "names", "account", "accounts", "acct")) {
    const entry = database.accounts.get(keyOf(name));
    if (entry === undefined || entry.parent === null) continue;
    const gone = new Set<Entry>();
    const stack = [entry];
    while (stack.length > 0) {
      const each = stack.pop()!;
      gone.add(each);
      stack.push(...each.children);
      if (each.user === "") database.accounts.delete(keyOf(each.account));
    }
    detach(entry);
    for (const [user, list] of database.users) {
      database.users.set(
        user,
        list.filter((each) => !gone.has(each)),
      );
    }
  }
}

function addUsers(command: SacctmgrCommand, line: number, database: Database): void {
  const stated = valuesOf(command, "account", "accounts", "acct");
  const [defaultAccount] = valuesOf(command, "defaultaccount");
  const accounts =
    stated.length > 0 ? stated : defaultAccount === undefined ? [] : [defaultAccount];
  const partitions = valuesOf(command, "partition", "partitions");
  const names = namesOf(command, "name", "names", "user", "users");
  if (accounts.length === 0) {
    const remedy = "Add account=NAME to the command.";
    database.report.problem(
      FILE,
      line,
      "account",
      `No account is named for ${names.join(", ")}.`,
      remedy,
    );
    return;
  }
  const options = [...command.where, ...command.set];
  for (const account of accounts) {
    const parent = database.accounts.get(keyOf(account));
    if (parent === undefined) {
      noSuch("account", account, "add account", line, database);
      continue;
    }
    for (const name of names) {
      for (const partition of partitions.length > 0 ? partitions : [""]) {
        addUser(name, partition, parent, options, line, database);
      }
    }
  }
}

function addUser(
  name: string,
  partition: string,
  parent: Entry,
  options: readonly Option[],
  line: number,
  database: Database,
): void {
  database.touched = true;
  const own = database.users.get(keyOf(name)) ?? [];
  if (own.some((each) => each.parent === parent && each.partition === partition)) {
    // Nothing new, but the user may be told another default account.
    for (const option of options)
      if (option.key === "defaultaccount") database.defaultAccounts.set(keyOf(name), option.value);
    return;
  }
  if (full(line, database)) return;
  const entry = newEntry(parent.account, name, partition, parent);
  database.users.set(keyOf(name), [...own, entry]);
  if (!database.defaultAccounts.has(keyOf(name)))
    database.defaultAccounts.set(keyOf(name), parent.account);
  applyAll(options, entry, line, database);
}

/** Associations of users that a command names. */
function chosenUsers(command: SacctmgrCommand, line: number, database: Database): Entry[] {
  const accounts = valuesOf(command, "account", "accounts", "acct").map(keyOf);
  const partitions = valuesOf(command, "partition", "partitions");
  const names = namesOf(command, "name", "names", "user", "users");
  const chosen: Entry[] = [];
  for (const name of names.length > 0 ? names : [...database.users.keys()]) {
    const own = database.users.get(keyOf(name));
    if (own === undefined) noSuch("user", name, "add user", line, database);
    for (const entry of own ?? []) {
      if (accounts.length > 0 && !accounts.includes(keyOf(entry.account))) continue;
      if (partitions.length > 0 && !partitions.includes(entry.partition)) continue;
      chosen.push(entry);
    }
  }
  return chosen;
}

function modifyUsers(command: SacctmgrCommand, line: number, database: Database): void {
  for (const entry of chosenUsers(command, line, database))
    applyAll(command.set, entry, line, database);
}

function deleteUsers(command: SacctmgrCommand, line: number, database: Database): void {
  for (const entry of chosenUsers(command, line, database)) {
    detach(entry);
    const own = database.users.get(keyOf(entry.user)) ?? [];
    database.users.set(
      keyOf(entry.user),
      own.filter((each) => each !== entry),
    );
  }
}

function readDumpLine(dump: DumpLine, line: number, database: Database): void {
  const parent = database.accounts.get(keyOf(database.dumpParent)) ?? database.root;
  switch (dump.entity) {
    case "cluster":
      applyAll(dump.set, database.root, line, database);
      return;
    case "parent":
      if (!database.accounts.has(keyOf(dump.name)))
        noSuch("account", dump.name, "Account -", line, database);
      database.dumpParent = dump.name;
      return;
    case "account":
      addAccount(dump.name, parent, dump.set, line, database);
      return;
    default: {
      const partition = dump.set.find((option) => option.key === "partition")?.value ?? "";
      const known = database.users
        .get(keyOf(dump.name))
        ?.find((each) => each.parent === parent && each.partition === partition);
      if (known === undefined) addUser(dump.name, partition, parent, dump.set, line, database);
      else applyAll(dump.set, known, line, database);
    }
  }
}

function* entriesOf(database: Database): Generator<Entry> {
  yield* database.accounts.values();
  for (const list of database.users.values()) yield* list;
}

/** QOS that something names and that no line adds: a dump holds no QOS, so they are made without limits, with a note. */
function checkQosNames(database: Database): void {
  const named = new Set<string>();
  for (const qos of database.qos.values())
    for (const name of qos.preempt as string[]) named.add(name);
  for (const entry of entriesOf(database)) {
    for (const name of entry.qos ?? []) named.add(name);
    for (const change of entry.changes) for (const name of changedList([], change)) named.add(name);
    const { defaultQos: own } = entry.fields;
    if (typeof own === "string" && own !== "") named.add(own);
  }
  for (const name of named) {
    if (database.qos.has(keyOf(name))) continue;
    database.qos.set(keyOf(name), newQos(name));
    const sentence = `No line adds the QOS ${name}: it is taken to have priority 0 and no limits.`;
    database.report.note(FILE, 1, name, "approximated", sentence);
  }
}
