/**
 * The words of the accounting text: `sacctmgr` commands, with or without the leading `sacctmgr -i`, and the lines of a
 * `sacctmgr dump`. A command is an action, an entity and options before and after `set`; nothing is said about meaning here.
 */
import { keyOf } from "./lex.ts";

export interface Option {
  /** Lower case. */
  readonly key: string;
  readonly op: "=" | "+=" | "-=";
  readonly value: string;
  /** Where the value stands in the text, with its quotes. */
  readonly valueFrom: number;
  readonly valueUntil: number;
  /** Where the whole option begins. */
  readonly from: number;
}

export interface AccountingLine {
  /** From 1. */
  readonly line: number;
  readonly from: number;
  readonly until: number;
  readonly text: string;
  readonly command: SacctmgrCommand | DumpLine | null;
}

export interface SacctmgrCommand {
  readonly form: "command";
  readonly action: "add" | "modify" | "delete" | "other";
  /** Lower case, singular: `account`, `user`, `qos`, `cluster`, … */
  readonly entity: string;
  /** Names given without a key. */
  readonly names: readonly string[];
  /** Options before `set` (conditions of a modification), or all of them. */
  readonly where: readonly Option[];
  readonly set: readonly Option[];
}

export interface DumpLine {
  readonly form: "dump";
  readonly entity: string;
  readonly name: string;
  readonly set: readonly Option[];
}

interface Word {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

/** Every line that is not empty and not a comment. O(text). */
export function accountingLines(text: string): AccountingLine[] {
  const lines: AccountingLine[] = [];
  let from = 0;
  let number = 1;
  while (from <= text.length) {
    const at = text.indexOf("\n", from);
    const until = at < 0 ? text.length : at;
    const line = text.slice(from, until).trim();
    if (line !== "" && !line.startsWith("#")) {
      const command = dumpLine(text, from, until) ?? command_(wordsOf(text, from, until));
      lines.push({ line: number, from, until, text: line, command });
    }
    from = until + 1;
    number += 1;
  }
  return lines;
}

/** Words between blanks; quotes hold blanks together, and `#` begins a comment. */
function wordsOf(text: string, from: number, until: number): Word[] {
  const words: Word[] = [];
  let start = -1;
  let quote = "";
  for (let at = from; at <= until; at += 1) {
    const character = at < until ? text[at]! : " ";
    if (quote !== "" && at < until) {
      if (character === quote) quote = "";
      continue;
    }
    if (/\s/.test(character)) {
      if (start >= 0) words.push({ text: text.slice(start, at), from: start, until: at });
      start = -1;
      continue;
    }
    if (start < 0 && character === "#") break;
    if (start < 0) start = at;
    if (character === '"' || character === "'") quote = character;
  }
  return words;
}

const ACTIONS: readonly (readonly [RegExp, SacctmgrCommand["action"]])[] = [
  [/^(add|create)$/, "add"],
  [/^mod(i(f(y)?)?)?$/, "modify"],
  [/^(del(e(t(e)?)?)?|remove)$/, "delete"],
  [/^(list|show|dump|load|archive|clear|ping|reconfigure|shutdown|version|exit|quit)$/, "other"],
];
const ENTITIES: readonly (readonly [RegExp, string])[] = [
  [/^acc(ounts?)?$|^acct$/, "account"],
  [/^users?$/, "user"],
  [/^qos$/, "qos"],
  [/^clusters?$/, "cluster"],
  [/^coord(inators?)?$/, "coordinator"],
];

function command_(all: readonly Word[]): SacctmgrCommand | null {
  let at = 0;
  if (all[at]?.text === "sudo") at += 1;
  if (/(^|\/)sacctmgr$/.test(all[at]?.text ?? "")) at += 1;
  while (all[at]?.text.startsWith("-") === true) at += 1;
  const word = keyOf(all[at]?.text ?? "");
  const action = ACTIONS.find(([pattern]) => pattern.test(word))?.[1];
  if (action === undefined) return null;
  const entityWord = keyOf(all[at + 1]?.text ?? "");
  const entity = ENTITIES.find(([pattern]) => pattern.test(entityWord))?.[1] ?? entityWord;
  const names: string[] = [];
  const where: Option[] = [];
  const set: Option[] = [];
  let target = where;
  for (const each of all.slice(at + 2)) {
    const lower = keyOf(each.text);
    if (lower === "set") target = set;
    else if (lower === "where") target = where;
    else {
      const option = optionOf(each);
      if (option !== null) target.push(option);
      else if (!each.text.startsWith("-")) names.push(...listOf(unquoted(each.text)));
    }
  }
  return { form: "command", action, entity, names, where, set };
}

function optionOf({ text, from, until }: Word): Option | null {
  const match = /^([A-Za-z_]+)([+-]?=)/.exec(text);
  if (match === null) return null;
  const [head, key = "", op] = match;
  return {
    key: keyOf(key),
    op: op as Option["op"],
    value: unquoted(text.slice(head.length)),
    valueFrom: from + head.length,
    valueUntil: until,
    from,
  };
}

/** `a,'b c'` → the text without its quotes. */
function unquoted(text: string): string {
  return text.replace(/["']/g, "");
}

/** Names between commas. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const DUMP = /^\s*(Cluster|Parent|Account|User)\s+-\s+'?([^':]*)'?\s*(?::|$)/;

/** `User - 'bob':Fairshare=1:QOS='normal'`. */
function dumpLine(text: string, from: number, until: number): DumpLine | null {
  const line = text.slice(from, until);
  const match = DUMP.exec(line);
  if (match === null) return null;
  const set: Option[] = [];
  let at = match[0].length;
  while (at < line.length) {
    const end = endOfField(line, at);
    const option = optionOf({
      text: line.slice(at, end).trim(),
      from: from + at,
      until: from + end,
    });
    if (option !== null) set.push(option);
    at = end + 1;
  }
  return { form: "dump", entity: keyOf(match[1]!), name: match[2]!, set };
}

/** The next colon outside quotes; one between a time's digits belongs to the value. */
function endOfField(line: string, from: number): number {
  let quoted = false;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === "'") quoted = !quoted;
    if (line[at] === ":" && !quoted && /^:\s*[A-Za-z]/.test(line.slice(at, at + 12))) return at;
  }
  return line.length;
}
