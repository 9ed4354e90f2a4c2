/** The fields that the schema of a kind knows at a place of the object. It follows the schema's own definition, so that a field is named nowhere twice. */
import type * as z from "zod/mini";

type Def = z.core.$ZodTypes["_zod"]["def"];
type Schema = z.core.$ZodType;

/** Names of the fields; of a union those of all its forms. Empty where the schema has no fields there. O(path × forms). */
export function knownFields(schema: Schema, path: readonly PropertyKey[]): string[] {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return knownFields(def.innerType, path);
    case "pipe":
      return knownFields(def.in, path);
    case "union":
      return [...new Set(def.options.flatMap((form) => knownFields(form, path)))];
    case "array":
      return path.length === 0 ? [] : knownFields(def.element, path.slice(1));
    case "record":
      return path.length === 0 ? [] : knownFields(def.valueType, path.slice(1));
    case "object": {
      const [key, ...rest] = path;
      if (key === undefined) return Object.keys(def.shape);
      const field = def.shape[String(key)];
      return field === undefined ? [] : knownFields(field, rest);
    }
    default:
      return [];
  }
}
