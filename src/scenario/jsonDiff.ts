/**
 * The difference of two JSON values as a short list of edits, and its application: `patch(a, diff(a, b))` equals `b` for
 * all documents (lists of at most 2,000 edits, paths of at most 32 steps). Objects are compared key by key; lists lose their common head and tail, and what remains is compared entry by
 * entry when the lengths agree, else replaced as a whole stretch.
 *
 *     [path, value]                  set (the empty path is the root)
 *     [path]                         remove a key
 *     [path, from, removed, entries] replace a stretch of a list
 */

import type { Json, JsonObject } from "../base/json.ts";
import { isJsonObject, sameJson as same, setOwn } from "../base/json.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";

type Step = string | number;
type Path = readonly Step[];
export type Edit =
  | readonly [Path]
  | readonly [Path, Json]
  | readonly [Path, number, number, readonly Json[]];

/** Bounds on edits from outside, so that a short hostile text cannot cost much time or stack. */
export const EDITS_MOST = 2_000;
const PATH_STEPS_MOST = 32;

/** O(size of both); exact for all JSON values. */
export function diff(from: Json, to: Json): Edit[] {
  const edits: Edit[] = [];
  compare(from, to, [], edits);
  return edits;
}

function compare(from: Json, to: Json, path: Path, edits: Edit[]): void {
  if (same(from, to)) return;
  if (Array.isArray(from) && Array.isArray(to))
    compareLists(from as readonly Json[], to as readonly Json[], path, edits);
  else if (isJsonObject(from) && isJsonObject(to)) compareObjects(from, to, path, edits);
  else edits.push([path, to]);
}

function compareObjects(from: JsonObject, to: JsonObject, path: Path, edits: Edit[]): void {
  for (const key of Object.keys(from).sort()) {
    if (!Object.hasOwn(to, key)) edits.push([[...path, key]]);
  }
  for (const key of Object.keys(to).sort()) {
    if (Object.hasOwn(from, key)) compare(from[key]!, to[key]!, [...path, key], edits);
    else edits.push([[...path, key], to[key]!]);
  }
}

function compareLists(from: readonly Json[], to: readonly Json[], path: Path, edits: Edit[]): void {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && same(from[head]!, to[head]!)) head++;
  let tail = 0;
  while (tail < shorter - head && same(from[from.length - 1 - tail]!, to[to.length - 1 - tail]!))
    tail++;
  if (from.length === to.length) {
    for (let i = head; i < from.length - tail; i++) compare(from[i]!, to[i]!, [...path, i], edits);
    return;
  }
  edits.push([path, head, from.length - tail - head, to.slice(head, to.length - tail)]);
}

/** Applies edits from outside: every path that leads nowhere and every malformed edit is an error, never an exception. */
export function patch(base: Json, edits: Json): Result<Json, string> {
  if (!Array.isArray(edits)) return err("The edits are no list.");
  if (edits.length > EDITS_MOST) return err("There are too many edits.");
  let value = base;
  for (const edit of edits as readonly Json[]) {
    if (!isEdit(edit)) return err("An edit is malformed.");
    const edited = applyAt(value, edit, 0);
    if (edited === undefined) return err(`An edit leads nowhere: /${edit[0].join("/")}.`);
    value = edited;
  }
  return ok(value);
}

function isEdit(edit: Json): edit is Edit & Json {
  if (!Array.isArray(edit)) return false;
  const [path, from, removed, entries] = edit as readonly Json[];
  if (!Array.isArray(path) || path.length > PATH_STEPS_MOST) return false;
  if (path.some((step) => typeof step !== "string" && !isIndex(step))) return false;
  if (edit.length <= 2) return edit.length === 2 || path.length > 0;
  return edit.length === 4 && isIndex(from) && isIndex(removed) && Array.isArray(entries);
}

function isIndex(step: unknown): step is number {
  return typeof step === "number" && Number.isSafeInteger(step) && step >= 0;
}

/** The value with the edit carried out `depth` steps down its path; undefined where the path leads nowhere. */
function applyAt(value: Json, edit: Edit, depth: number): Json | undefined {
  const path = edit[0];
  if (depth === path.length) return applyHere(value, edit);
  const step = path[depth]!;
  if (Array.isArray(value)) {
    if (typeof step !== "number" || step >= value.length) return undefined;
    const entry = applyAt(value[step] as Json, edit, depth + 1);
    return entry === undefined ? undefined : value.with(step, entry);
  }
  if (!isJsonObject(value) || typeof step !== "string") return undefined;
  const last = depth === path.length - 1;
  if (last && edit.length === 1) return without(value, step);
  if (last && edit.length === 2) return withKey(value, step, edit[1]);
  if (!Object.hasOwn(value, step)) return undefined;
  const entry = applyAt(value[step]!, edit, depth + 1);
  return entry === undefined ? undefined : withKey(value, step, entry);
}

function applyHere(value: Json, edit: Edit): Json | undefined {
  if (edit.length === 2) return edit[1];
  if (edit.length === 1 || !Array.isArray(value)) return undefined;
  const [, from, removed, entries] = edit;
  if (from + removed > value.length) return undefined;
  return [
    ...(value as readonly Json[]).slice(0, from),
    ...entries,
    ...(value as readonly Json[]).slice(from + removed),
  ];
}

function without(value: JsonObject, key: string): JsonObject | undefined {
  if (!Object.hasOwn(value, key)) return undefined;
  const { [key]: _removed, ...rest } = value;
  return rest;
}

function withKey(value: JsonObject, key: string, entry: Json): JsonObject {
  const copy: Record<string, Json> = { ...value };
  setOwn(copy, key, entry);
  return copy;
}
