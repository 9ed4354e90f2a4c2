/** Commands about QOS: add, modify, delete, and what happens to a QOS that is named and that no line adds. */

import { defaultQos } from "../../model/slurm/defaults.ts";
import type { Database } from "./accountingDatabase.ts";
import { entriesOf, FILE, namesOf, newQos, noSuch, told } from "./accountingDatabase.ts";
import type { Fields } from "./accountingOptions.ts";
import { applyOption, changedList } from "./accountingOptions.ts";
import type { Option, SacctmgrCommand } from "./accountingText.ts";
import { keyOf } from "./lex.ts";

const MOST_QOS = 1_024;

/** `add qos NAME… [set …]`; one that is there already stays as it is. */
export function addQos(command: SacctmgrCommand, line: number, database: Database): void {
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

/** `modify qos [NAME…] set …`; without names all are meant. */
export function modifyQos(command: SacctmgrCommand, line: number, database: Database): void {
  const names = namesOf(command, "name", "names", "qos");
  const chosen = names.length > 0 ? names : [...database.qos.keys()];
  for (const name of chosen) {
    const qos = database.qos.get(keyOf(name));
    if (qos === undefined) noSuch("QOS", name, "add qos", line, database);
    else applyQos(command.set, qos, line, database);
  }
}

/** `delete qos NAME…`; associations lose it, and `normal` stays for jobs that have no other. */
export function deleteQos(command: SacctmgrCommand, line: number, database: Database): void {
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

/** QOS that something names and that no line adds: a dump holds no QOS, so they are made without limits, with a note. */
export function checkQosNames(database: Database): void {
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
