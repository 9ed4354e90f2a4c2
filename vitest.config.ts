/**
 * Four projects, run as stages by `npm test`: `node` (unit, truth, tidy), `dom` (components, in jsdom), `alone` (what counts on modules
 * that nobody has loaded yet) and `slow` (property and soak). All but `alone` load each module once a worker: loading all of it again
 * for each file takes two thirds of a run. What such files share is put back by `test/support/freshPage.ts`; spies and stubs end with
 * their file. Tests never depend on the machine's zone or language.
 */
import { defineConfig } from "vitest/config";

process.env.TZ = "UTC";
process.env.LC_ALL = "C";

const domTests = ["test/{app,panels,ui}/**/*.test.{ts,tsx}"];
const slowTests = ["test/**/*.property.test.ts", "test/soak/**/*.test.ts"];
/** The worker loads its parts when they are first asked for, its memory is counted, and what an embedded page refuses it refuses for good. */
const loneTests = [
  "test/worker/**/*.test.ts",
  "test/app/embedded.test.ts",
  "test/app/keyMap.test.ts",
];

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Only a test that hangs is meant: on a busy machine what takes ten seconds takes forty.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    allowOnly: false,
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          setupFiles: ["test/support/presets.ts", "test/support/freshPage.ts"],
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...domTests, ...slowTests, ...loneTests],
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          setupFiles: ["test/support/domSetup.ts", "test/support/freshPage.ts"],
          include: domTests,
          exclude: [...slowTests, ...loneTests],
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          environment: "node",
          setupFiles: ["test/support/presets.ts"],
          include: loneTests,
          exclude: slowTests,
          isolate: true,
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
