/** The published JSON Schema of scenario documents as people write them (defaults may be left out). */
import * as z from "zod/mini";
import { SCENARIO_VERSION, scenarioSchema } from "./schema.ts";

/** The text of `public/schema/scenario.v1.json`. Built by `scripts/build-schema.mjs`; a test holds the file up to date. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-2020-12" });
  const titled = { ...schema, title: `Queuescope scenario, version ${SCENARIO_VERSION}` };
  return `${JSON.stringify(titled, null, 2)}\n`;
}
