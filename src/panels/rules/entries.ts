/** What every editor of a table is given, and the edits of a list that all of them share. */
import type { Json, JsonObject } from "../../base/json.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { completed } from "../../ui/fields/leaf.ts";
import { keysOf, valueAt, withValue } from "../../ui/fields/paths.ts";
import type { FormContext } from "../../ui/fields/SpecFields.tsx";
import type { TableSpec } from "./tables.ts";
import { entrySchema } from "./tables.ts";

export interface EditorProps {
  readonly table: TableSpec;
  readonly rules: JsonObject;
  readonly onChange: (rules: JsonObject) => void;
  /** The document with these rules as far as they can be read: for names and first rows. */
  readonly scenario: Scenario;
  /** Names, and the problems below a pointer of the document. */
  readonly context: (pointer: string) => FormContext;
  /** Ids that the document had when editing began: what refers to them would be lost with another. */
  readonly isOld: (id: Json | undefined) => boolean;
}

export function entriesOf(rules: JsonObject, table: TableSpec): readonly Json[] {
  return (valueAt(rules, keysOf(table.place)) ?? []) as readonly Json[];
}

export function withEntries(
  rules: JsonObject,
  table: TableSpec,
  entries: readonly Json[],
): JsonObject {
  return withValue(rules, keysOf(table.place), entries) as JsonObject;
}

export function withEntry(
  rules: JsonObject,
  table: TableSpec,
  index: number,
  entry: Json,
): JsonObject {
  return withEntries(rules, table, entriesOf(rules, table).with(index, entry));
}

/** The rules with the table's first row at the end of its list; unchanged where there can be none. */
export function withFirst(rules: JsonObject, table: TableSpec, scenario: Scenario): JsonObject {
  const first = table.first?.(scenario);
  if (first === undefined || !("row" in first)) return rules;
  const entry = completed(entrySchema(table), first.row);
  if (table.shape === "one") return withValue(rules, keysOf(table.place), entry) as JsonObject;
  return withEntries(rules, table, [...entriesOf(rules, table), entry]);
}

/** An entry one place up (−1) or down (1). */
export function moved(rules: JsonObject, table: TableSpec, index: number, by: -1 | 1): JsonObject {
  const list = [...entriesOf(rules, table)];
  const [entry] = list.splice(index, 1);
  list.splice(index + by, 0, entry!);
  return withEntries(rules, table, list);
}
