// `npm test`: everything that must hold, on a fresh clone with only Node. Stages run one after the other and all of them run even when
// one fails; a stage that runs no test is a failure. The last line sums up every suite: `N passed, N failed` (`, N skipped`).
import "./nodeVersion.mjs";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findBrowser, remedy } from "./browser.mjs";
import { cache, fileExists, say } from "./paths.mjs";
import { run } from "./run.mjs";
import { setup } from "./setup.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

process.env.TZ = "UTC";
process.env.LC_ALL = "C";
const inCi = !["", "0", "false", undefined].includes(process.env.CI);

await setup();
mkdirSync(cache, { recursive: true });

/** @type {[string, () => Promise<Counts>][]} */
const stages = [
  ["types", async () => asOne(await run("tsc", ["-p", ".", "--noEmit", "--pretty", "false"]))],
  [
    "lint",
    async () => asOne(await run("biome", ["check", "--error-on-warnings", "--max-diagnostics=50"])),
  ],
  ["build", async () => asOne(await run("build", []))],
  ["unit and truth", () => vitest("unit", ["--project=node", "--project=dom", "--project=alone"])],
  ["property and soak", () => vitest("slow", ["--project=slow"])],
  ["browser", browser],
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** Set where a stage could not run and that must not pass for good. */
let fellShort = false;
for (const [name, stage] of stages) {
  const startMs = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const counts = await stage().catch(broken);
  if (counts.passed + counts.failed + counts.skipped === 0) {
    process.stdout.write(`${name}: no test ran, which counts as a failure\n`);
    counts.failed = 1;
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  process.stdout.write(
    `── ${name}: ${sentence(counts)} in ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`,
  );
}
process.stdout.write(`\n${sentence(total)}\n`);
process.exitCode = total.failed > 0 || fellShort ? 1 : 0;

/** @param {Counts} counts */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** A stage that breaks (a report cut short, a module that does not load) is a failure like any other. @param {unknown} error @returns {Counts} */
function broken(error) {
  process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
}

/** A tool that answers with its exit status alone counts as one test. @param {number} status @returns {Counts} */
function asOne(status) {
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** @param {string} name @param {string[]} args @returns {Promise<Counts>} */
async function vitest(name, args) {
  const report = freshReport(name);
  const status = await run("vitest", [
    "run",
    ...args,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (fileExists(report)) {
    const result = JSON.parse(readFileSync(report, "utf8"));
    counts.passed = result.numPassedTests;
    counts.failed = result.numFailedTests;
    counts.skipped = result.numPendingTests + result.numTodoTests;
    // A file that does not load has no tests to fail; it still must count.
    for (const file of result.testResults) {
      if (file.status === "failed" && file.assertionResults.length === 0) counts.failed += 1;
    }
  }
  return withStatus(counts, status);
}

/** @returns {Promise<Counts>} */
async function browser() {
  const program = await findBrowser();
  const env = {
    QUEUESCOPE_E2E_PORT: String(await freePort()),
    QUEUESCOPE_CHROME: program ?? "",
  };
  if (program === null) {
    const report = freshReport("browser");
    await run("playwright", ["test", "--list", "--reporter=json"], {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      stdout: "stderr",
    });
    const tests = fileExists(report)
      ? testsListed(JSON.parse(readFileSync(report, "utf8")).suites)
      : 1;
    process.stdout.write(`browser tests skipped, no browser was found: ${remedy}\n`);
    if (inCi) fellShort = true;
    return { passed: 0, failed: 0, skipped: tests };
  }
  say(`browser: ${program}`);
  // What counts frames has the machine to itself, and runs also where a story failed.
  const stories = await playwright("stories", env);
  return sum(stories, await playwright("counting", env));
}

/** @param {string} project @param {Record<string, string>} env @returns {Promise<Counts>} */
async function playwright(project, env) {
  const report = freshReport(`browser-${project}`);
  const args = ["test", "--no-deps", `--project=${project}`, "--reporter=list,json"];
  const status = await run("playwright", args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (fileExists(report)) {
    const { stats } = JSON.parse(readFileSync(report, "utf8"));
    counts.passed = stats.expected;
    // A test that passes only when repeated is not trusted.
    counts.failed = stats.unexpected + stats.flaky;
    counts.skipped = stats.skipped;
  }
  return withStatus(counts, status);
}

/** @param {Counts} a @param {Counts} b @returns {Counts} */
function sum(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** An error outside any test fails the stage all the same. @param {Counts} counts @param {number} status */
function withStatus(counts, status) {
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** @typedef {{ specs?: unknown[], suites?: Suite[] }} Suite */
/** @param {Suite[]} suites @returns {number} */
function testsListed(suites) {
  return suites.reduce(
    (sum, suite) => sum + (suite.specs?.length ?? 0) + testsListed(suite.suites ?? []),
    0,
  );
}

/** @param {string} name */
function freshReport(name) {
  const report = join(cache, `report-${name}.json`);
  rmSync(report, { force: true });
  return report;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      );
    });
  });
}
