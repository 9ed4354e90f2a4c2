/**
 * Old documents become new ones, one step a version. A step maps plain JSON to plain JSON, imports nothing but `base`, and is
 * never edited once released: a link made today must open for ever.
 */

import type { Json } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import { to1 } from "./to1.ts";

type Step = (document: Json) => Json;

/** `steps[n]` maps version n to version n + 1. */
const steps: readonly Step[] = [to1];

export type UpgradeError =
  | { readonly kind: "notADocument" }
  | { readonly kind: "noSuchVersion"; readonly version: string }
  | { readonly kind: "tooNew"; readonly version: number; readonly known: number };

/** The version that a document says it has; a document without one is from before versions were written (0). */
function versionOf(document: Json): Result<number, UpgradeError> {
  if (!isJsonObject(document)) return err({ kind: "notADocument" });
  const version = Object.hasOwn(document, "version") ? document.version : 0;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    return err({
      kind: "noSuchVersion",
      version: typeof version === "object" ? "(no number)" : String(version),
    });
  }
  return ok(version);
}

/** The document at today's version. Total: every JSON value gives a document or an error. */
export function upgrade(document: Json): Result<Json, UpgradeError> {
  const version = versionOf(document);
  if (!version.ok) return version;
  if (version.value > steps.length)
    return err({ kind: "tooNew", version: version.value, known: steps.length });
  return ok(steps.slice(version.value).reduce((older, step) => step(older), document));
}
