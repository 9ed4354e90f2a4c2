/** Reading and writing plain JSON by path, without changing what is there. */
import type { Json } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";

export type Path = readonly (string | number)[];

/** "demand.periodMs" → keys. */
export function keysOf(dotted: string): Path {
  return dotted === "" ? [] : dotted.split(".");
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
    else at = at !== undefined && isJsonObject(at) ? at[key] : undefined;
  }
  return at;
}

/** The value with another at a path; `undefined` takes the key away. O(length of what lies on the path). */
export function withValue(value: Json | undefined, path: Path, next: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return next ?? null;
  const inner =
    rest.length === 0
      ? next
      : withValue(valueAt(value, [key]) ?? (typeof rest[0] === "number" ? [] : {}), rest, next);
  if (Array.isArray(value)) {
    const list = [...(value as readonly Json[])];
    if (inner === undefined) list.splice(Number(key), 1);
    else list[Number(key)] = inner;
    return list;
  }
  const object: Record<string, Json> =
    value !== undefined && isJsonObject(value) ? { ...value } : {};
  if (inner === undefined) delete object[key];
  else object[key] = inner;
  return object;
}
