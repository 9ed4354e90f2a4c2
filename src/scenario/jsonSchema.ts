/** The published JSON Schema of scenario documents as people write them (defaults may be left out), with a sentence for each field. */
import * as z from "zod/mini";
import { FIELD_SENTENCES } from "./fieldSentences.ts";
import { SCENARIO_VERSION, scenarioSchema } from "./schema.ts";

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly [key: string]: unknown;
}

/** The text of `public/schema/scenario.v1.json`. Built by `scripts/build-schema.mjs`; a test holds the file up to date. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-2020-12" });
  const titled = { ...schema, title: `Queuescope scenario, version ${SCENARIO_VERSION}` };
  return `${JSON.stringify(described(titled as Node, ""), null, 2)}\n`;
}

/** A copy in which each field has its sentence. Jobs of the workload are called by their own name; a class of drawn jobs has fields of a job. */
function described(node: Node, path: string): Node {
  const sentence =
    FIELD_SENTENCES.get(path) ?? FIELD_SENTENCES.get(path.replace(/^synthetic\./, "jobs."));
  return {
    ...node,
    ...(sentence === undefined ? {} : { description: sentence }),
    ...(node.items === undefined ? {} : { items: described(node.items, path) }),
    ...(node.properties === undefined ? {} : { properties: propertiesOf(node.properties, path) }),
  };
}

function propertiesOf(properties: Readonly<Record<string, Node>>, path: string) {
  const base = path === "" || path === "workload" ? "" : `${path}.`;
  return Object.fromEntries(
    Object.entries(properties).map(([key, child]) => [key, described(child, `${base}${key}`)]),
  );
}
