/**
 * The accounting database as its commands, or a dump, build it: QOS, and the tree of accounts and users. At the end limits and
 * QOS pass down the tree as slurmdbd passes them down: those of one job or user (`Max…`), never the `Grp…` ones.
 */
import type { SlurmAssociation, SlurmQos } from "../../model/slurm/config.ts";
import {
  addAccounts,
  addUsers,
  deleteAccounts,
  deleteUsers,
  modifyAccounts,
  modifyUsers,
  readDumpLine,
} from "./accountingAssociations.ts";
import type { Database } from "./accountingDatabase.ts";
import { applyAll, FILE, newDatabase } from "./accountingDatabase.ts";
import { addQos, checkQosNames, deleteQos, modifyQos } from "./accountingQos.ts";
import type { AccountingLine, SacctmgrCommand } from "./accountingText.ts";
import { accountingLines } from "./accountingText.ts";
import { associationsInPreorder } from "./accountingTree.ts";
import { named } from "./lex.ts";
import type { Report } from "./report.ts";

export interface Accounting {
  readonly qos: readonly SlurmQos[];
  /** Preorder; empty when the text names neither account nor user. */
  readonly associations: readonly SlurmAssociation[];
}

/** Reads commands or a dump. O(text + associations). */
export function readAccounting(text: string, report: Report): Accounting {
  const database = newDatabase(report);
  for (const line of accountingLines(text)) readLine(line, database);
  checkQosNames(database);
  const qos = [...database.qos.values()] as unknown as SlurmQos[];
  const associations = database.touched
    ? associationsInPreorder(database.root, database.defaultAccounts)
    : [];
  return { qos, associations };
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
  const reader = READERS.get(`${action} ${entity}`);
  if (reader === undefined) {
    const sentence = `${action} ${entity === "" ? "without an entity" : entity} is not modelled.`;
    database.report.note(FILE, line, entity, "notModelled", sentence);
  } else reader(command, line, database);
}

type CommandReader = (command: SacctmgrCommand, line: number, database: Database) => void;

const READERS = named<CommandReader>({
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
});
