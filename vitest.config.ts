/**
 * Three projects, run as stages by `npm test`: `node` (unit, truth, tidy), `dom` (components, in jsdom) and `slow` (property
 * and soak). Tests never depend on the machine's zone or language.
 */
import { defineConfig } from "vitest/config";

process.env.TZ = "UTC";
process.env.LC_ALL = "C";

const domTests = ["test/{app,panels,ui}/**/*.test.{ts,tsx}"];
const slowTests = ["test/**/*.property.test.ts", "test/soak/**/*.test.ts"];

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          setupFiles: ["test/support/presets.ts"],
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...domTests, ...slowTests],
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          setupFiles: ["test/support/domSetup.ts"],
          include: domTests,
          exclude: slowTests,
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          environment: "node",
          setupFiles: ["test/support/presets.ts"],
          include: slowTests,
          testTimeout: 240_000,
        },
      },
    ],
  },
});
