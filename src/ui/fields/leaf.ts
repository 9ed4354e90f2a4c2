/** What the schema of the document says of one field: its kind, range, options, whether it may be absent, and its default. */
import type * as z from "zod/mini";
import type { Json } from "../../base/json.ts";

export type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

export interface Leaf {
  readonly kind: "text" | "integer" | "number" | "duration" | "choice" | "check" | "list";
  readonly least: number;
  readonly most: number;
  readonly options: readonly (string | number)[];
  /** It may be left out, and nothing fills it in. */
  readonly optional: boolean;
  readonly standard: Json | undefined;
}

interface Unwrapped {
  readonly schema: Schema;
  readonly optional: boolean;
  readonly standard: Json | undefined;
}

function defOf(schema: Schema): Def {
  return (schema as unknown as z.core.$ZodTypes)._zod.def;
}

function unwrapped(schema: Schema): Unwrapped {
  let optional = false;
  let standard: Json | undefined;
  let inner = schema;
  for (;;) {
    const def = defOf(inner);
    if (def.type === "optional") optional = true;
    else if (def.type === "default" || def.type === "prefault")
      standard = def.defaultValue as Json | undefined;
    else return { schema: inner, optional, standard };
    inner = def.innerType;
  }
}

/** The schema of the entries of a list, or of the value below a dotted path. Throws where there is none: specs are the program's own. */
export function schemaAt(schema: Schema, path: string): Schema {
  let at = schema;
  for (const key of path === "" ? [] : path.split(".")) {
    const def = defOf(unwrapped(at).schema);
    if (def.type === "array") at = def.element;
    else if (def.type === "object" && def.shape[key] !== undefined) at = def.shape[key];
    else throw new Error(`The schema has no ${path}`);
  }
  return at;
}

/** O(depth of the path). */
export function leafOf(schema: Schema, path: string): Leaf {
  const at = schemaAt(schema, path);
  const { schema: inner, optional, standard } = unwrapped(at);
  const [least, most] = rangeOf(inner);
  const isDuration = /Ms$/.test(path);
  const common = { least, most, options: optionsIn(inner), optional, standard };
  const def = defOf(inner);
  switch (def.type) {
    case "number": {
      const whole = "format" in def && def.format === "safeint";
      return { ...common, kind: isDuration ? "duration" : whole ? "integer" : "number" };
    }
    case "boolean":
      return { ...common, kind: "check" };
    case "array":
      return { ...common, kind: "list" };
    default:
      return { ...common, kind: common.options.length > 0 ? "choice" : "text" };
  }
}

function rangeOf(schema: Schema): readonly [number, number] {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const check of defOf(schema).checks ?? []) {
    const def = check._zod.def as { readonly check: string; readonly value?: unknown };
    if (typeof def.value !== "number") continue;
    if (def.check === "greater_than") least = def.value;
    if (def.check === "less_than") most = def.value;
  }
  return [least, most];
}

function optionsIn(schema: Schema): readonly (string | number)[] {
  const def = defOf(schema);
  if (def.type === "enum") return Object.values(def.entries);
  if (def.type === "literal") return def.values.filter((value) => value !== null) as string[];
  if (def.type === "union") return def.options.flatMap(optionsIn);
  return [];
}

/** An entry with every default of the schema filled in. Throws on one that the schema refuses: the caller made it. */
export function completed(schema: Schema, entry: unknown): Json {
  return (schema as unknown as z.ZodMiniType<Json>).parse(entry);
}
