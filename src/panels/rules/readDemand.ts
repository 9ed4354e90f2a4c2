/** The demand of a service as far as it can be drawn: null while something in it cannot be read. */
import type { Json } from "../../base/json.ts";
import type { ServiceEntry } from "../../scenario/schema.ts";
import { scenarioSchema } from "../../scenario/schema.ts";
import { completed, schemaAt } from "../../ui/fields/leaf.ts";

const schema = schemaAt(scenarioSchema, "services.0.demand");

/** More steps than this are not drawn while somebody types. */
const MOST_STEPS = 20_000;
const SHOWN_MS = 2 * 86_400_000;

export function readDemand(demand: Json | undefined): ServiceEntry["demand"] | null {
  try {
    const read = completed(schema, demand) as unknown as ServiceEntry["demand"];
    const isShort = read.shape !== "square" || SHOWN_MS / read.periodMs < MOST_STEPS;
    return isShort && (read.shape !== "points" || read.points.length > 0) ? read : null;
  } catch {
    return null;
  }
}
