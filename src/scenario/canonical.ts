/**
 * The canonical form of a document: keys sorted, defaults left out, no blanks. Two documents that mean the same have the same
 * canonical text, so its SHA-256 names the document, and equal documents have equal links.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type * as z from "zod/mini";
import type { Json, JsonObject } from "../base/json.ts";
import { isJsonObject, setOwn } from "../base/json.ts";
import type { Scenario } from "./schema.ts";
import { scenarioSchema } from "./schema.ts";

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

/** JSON text with sorted keys. O(size log keys). Undefined properties are left out, as in JSON. */
export function stableText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key]!)}`);
  return `{${entries.join(",")}}`;
}

/** The document as plain JSON without what reading would fill in again. Reading it back gives an equal scenario. */
export function canonicalJson(scenario: Scenario): JsonObject {
  return strip(scenarioSchema, scenario as unknown as Json) as JsonObject;
}

/** The canonical form as text: equal scenarios give the same text, to the byte. O(document). */
export function canonicalText(scenario: Scenario): string {
  return stableText(canonicalJson(scenario));
}

/** SHA-256 of the canonical text, 64 hexadecimal digits. */
export function documentDigest(scenario: Scenario): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalText(scenario))));
}

/** Removes from a value all that its schema gives by default. */
function strip(schema: Schema, value: Json): Json {
  const def = defOf(schema);
  switch (def.type) {
    case "default":
    case "prefault":
    case "optional":
      return strip(def.innerType, value);
    case "object":
      return isJsonObject(value) ? stripObject(def.shape, value) : value;
    case "array":
      return Array.isArray(value) ? value.map((entry: Json) => strip(def.element, entry)) : value;
    case "union":
      return strip(optionFor(def.options, value) ?? schemaOfAny, value);
    default:
      return value;
  }
}

const schemaOfAny = { _zod: { def: { type: "any" } } } as unknown as Schema;

function defOf(schema: Schema): Def {
  return schema._zod.def as Def;
}

function stripObject(shape: Readonly<Record<string, Schema>>, value: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const schema = shape[key];
    if (schema === undefined || value[key] === undefined) continue;
    const stripped = strip(schema, value[key]!);
    const standard = defaultTextOf(schema);
    if (standard !== null && stableText(stripped) === standard) continue;
    setOwn(kept, key, stripped);
  }
  return kept;
}

const defaultTexts = new WeakMap<Schema, string | null>();

/** Canonical text of what reading fills in where the key is absent; null where it fills in nothing. */
function defaultTextOf(schema: Schema): string | null {
  const known = defaultTexts.get(schema);
  if (known !== undefined) return known;
  const def = defOf(schema);
  const filled = def.type === "default" || def.type === "prefault";
  const text = filled ? stableText(strip(def.innerType, def.defaultValue as Json)) : null;
  defaultTexts.set(schema, text);
  return text;
}

/** The option of a union of objects whose literal `kind` the value has. */
function optionFor(options: readonly Schema[], value: Json): Schema | undefined {
  if (!isJsonObject(value)) return undefined;
  return options.find((option) => {
    const def = defOf(option);
    if (def.type !== "object") return false;
    const kind = def.shape.kind;
    const kindDef = kind === undefined ? undefined : defOf(kind);
    return kindDef?.type === "literal" && kindDef.values.includes(value.kind as string);
  });
}
