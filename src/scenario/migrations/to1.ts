/** Version 0 had the fields of version 1 and did not write its version. Released, frozen. */

import type { Json } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";

export function to1(document: Json): Json {
  return isJsonObject(document) ? { ...document, version: 1 } : document;
}
