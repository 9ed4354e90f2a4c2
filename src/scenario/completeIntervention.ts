/** Defaults of a change. Apart from `interventions.ts`, because it needs the schema, which the page loads only once something is changed. */
import type { InterventionInput } from "./interventions.ts";
import type { Intervention } from "./schema.ts";
import { scenarioSchema } from "./schema.ts";

const interventionSchema = scenarioSchema.shape.interventions.def.innerType.def.element;

/** An intervention with its defaults filled in. Throws on one that the schema refuses: the caller made it. */
export function completeIntervention(intervention: InterventionInput): Intervention {
  return interventionSchema.parse(intervention);
}
