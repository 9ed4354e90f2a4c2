/**
 * Changes one field of a QOS, an account or a user in accounting commands or a dump, and leaves everything else as it was. Lines that
 * set it for others too are not touched: a line for this name alone follows at the end.
 */
import type { AccountingLine, Option } from "./accountingText.ts";
import { accountingLines, listOf } from "./accountingText.ts";
import { closed, replaced } from "./editText.ts";
import { keyOf } from "./lex.ts";
import { parameterNamed } from "./parameters.ts";

export type AccountingEntity = "qos" | "account" | "user";

interface Setting {
  readonly line: AccountingLine;
  readonly option: Option;
  /** The line names nobody else. */
  readonly isAlone: boolean;
}

/** The text with the value in place: changed in the last line that sets it for this name alone, otherwise in a line at the end. O(text). */
export function withAccountingValue(
  text: string,
  entity: AccountingEntity,
  name: string,
  key: string,
  value: string,
): string {
  const last = settingsOf(text, entity, name, key).at(-1);
  if (last?.isAlone && last.option.op === "=") {
    const { valueFrom, valueUntil } = last.option;
    return replaced(text, valueFrom, valueUntil, quoted(value));
  }
  return `${closed(text)}modify ${entity} ${quoted(name)} set ${keyOf(key)}=${quoted(value)}\n`;
}

/** The text without the field: taken out of the lines for this name alone; where a line for several sets it, `cleared` undoes that. O(text). */
export function withoutAccountingValue(
  text: string,
  entity: AccountingEntity,
  name: string,
  key: string,
  cleared: string,
): string {
  let result = text;
  for (;;) {
    const found = settingsOf(result, entity, name, key).findLast((each) => each.isAlone);
    if (found === undefined) break;
    result = withoutOption(result, found);
  }
  const others = settingsOf(result, entity, name, key);
  if (others.length === 0) return result;
  return `${closed(result)}modify ${entity} ${quoted(name)} set ${keyOf(key)}=${quoted(cleared)}\n`;
}

/** Every option that sets this key for this name, in the order of the text. */
function settingsOf(text: string, entity: AccountingEntity, name: string, key: string): Setting[] {
  return accountingLines(text).flatMap((line) => {
    const { command } = line;
    if (command === null || command.entity !== entity) return [];
    const isKey = (option: Option) => sameKey(entity, option.key, key);
    if (command.form === "dump") {
      if (keyOf(command.name) !== keyOf(name)) return [];
      return command.set.filter(isKey).map((option) => ({ line, option, isAlone: true }));
    }
    if (command.action !== "add" && command.action !== "modify") return [];
    const isName = (option: Option) => ["name", "names", entity].includes(option.key);
    const keyed = command.where.filter(isName).flatMap((each) => listOf(each.value));
    const names = [...command.names, ...keyed];
    const isMeant =
      names.some((each) => keyOf(each) === keyOf(name)) ||
      (names.length === 0 && command.action === "modify");
    if (!isMeant) return [];
    // A modification with another condition is about some of the entries only.
    const isAlone =
      names.length === 1 &&
      (command.action === "add" || command.where.every((each) => isName(each)));
    const options = command.action === "add" ? [...command.where, ...command.set] : command.set;
    return options
      .filter((option) => !isName(option) && isKey(option))
      .map((option) => ({ line, option, isAlone }));
  });
}

function sameKey(entity: AccountingEntity, one: string, other: string): boolean {
  const scope = entity === "qos" ? "qos" : "association";
  const nameOf = (key: string) => keyOf(parameterNamed(scope, key)?.name ?? key);
  return nameOf(one) === nameOf(other);
}

/** Without one option; a modification of which nothing is left goes as a whole. */
function withoutOption(text: string, { line, option }: Setting): string {
  const { command } = line;
  if (command?.form === "command" && command.action === "modify" && command.set.length === 1)
    return replaced(text, line.from, Math.min(text.length, line.until + 1), "");
  let { from, valueUntil: until } = option;
  if (command?.form === "dump") {
    // Fields of a dump stand between colons.
    while (from > line.from && text[from - 1] !== ":") from -= 1;
    if (text[until] === ":") until += 1;
    else if (text[from - 1] === ":") from -= 1;
  } else while (from > line.from && /[ \t]/.test(text[from - 1]!)) from -= 1;
  return replaced(text, from, until, "");
}

/** A value with blanks needs quotes. */
function quoted(value: string): string {
  return /[\s#]/.test(value) ? `"${value}"` : value;
}
