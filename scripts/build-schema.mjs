// Writes public/schema/scenario.v1.json from the schema in src/scenario. Run it after each change of the schema.
import { mkdirSync, writeFileSync } from "node:fs";
import { runnerImport } from "vite";

const { module } = await runnerImport("./src/scenario/jsonSchema.ts", { logLevel: "error" });
mkdirSync("public/schema", { recursive: true });
writeFileSync("public/schema/scenario.v1.json", module.scenarioJsonSchema());
