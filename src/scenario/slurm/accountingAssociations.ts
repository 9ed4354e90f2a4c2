/** Commands about accounts and users, and the lines of a dump: each adds, changes or removes associations of the tree. */
import type { Database } from "./accountingDatabase.ts";
import { applyAll, FILE, full, namesOf, noSuch, valuesOf } from "./accountingDatabase.ts";
import type { DumpLine, Option, SacctmgrCommand } from "./accountingText.ts";
import type { Entry } from "./accountingTree.ts";
import { newEntry } from "./accountingTree.ts";
import { keyOf } from "./lex.ts";

/** `add account NAME… parent=…`: a second line for an account that is there changes nothing. O(names). */
export function addAccounts(command: SacctmgrCommand, line: number, database: Database): void {
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

/** `modify account NAME… set …`; an unknown name is a problem. O(names × options). */
export function modifyAccounts(command: SacctmgrCommand, line: number, database: Database): void {
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

/** `delete account NAME…` with all accounts and users below it; an unknown name is passed over. O(what goes). */
export function deleteAccounts(command: SacctmgrCommand, _line: number, database: Database): void {
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

/** `add user NAME… account=… [partition=…]`: one association for each user, account and partition. */
export function addUsers(command: SacctmgrCommand, line: number, database: Database): void {
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

/** `modify user NAME… [where account=…] set …`: every association that is meant. */
export function modifyUsers(command: SacctmgrCommand, line: number, database: Database): void {
  for (const entry of chosenUsers(command, line, database))
    applyAll(command.set, entry, line, database);
}

/** `delete user NAME… [where account=…]`: every association that is meant. */
export function deleteUsers(command: SacctmgrCommand, line: number, database: Database): void {
  for (const entry of chosenUsers(command, line, database)) {
    detach(entry);
    const own = database.users.get(keyOf(entry.user)) ?? [];
    database.users.set(
      keyOf(entry.user),
      own.filter((each) => each !== entry),
    );
  }
}

/** One line of a dump (`sacctmgr dump`): the line `Parent` says under which account the next ones stand. */
export function readDumpLine(dump: DumpLine, line: number, database: Database): void {
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
