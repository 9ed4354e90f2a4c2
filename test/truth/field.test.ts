import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";

const here = fileURLToPath(new URL("field", import.meta.url));
const beside = fileURLToPath(new URL("../../../shared/truth/field", import.meta.url));

function run(path: string) {
  const lines: string[] = [];
  const totals = conformance([path], (line) => lines.push(line));
  return { totals, lines };
}

test("problems reported from real clusters: every recorded run starts, ends and counts as recorded", () => {
  const { totals, lines } = run(here);
  expect(lines.filter((line) => /^(FAIL|SKIP)/.test(line))).toEqual([]);
  expect(totals.passed).toBeGreaterThanOrEqual(42);
});

/** One recorded case with something changed in its first run. */
function changed(id: string, change: (first: Record<string, unknown>) => void) {
  const folder = mkdtempSync(join(tmpdir(), "queuescope-field-"));
  try {
    const cases = readFileSync(join(here, "cases.jsonl"), "utf8").trim().split("\n");
    const one = cases.map((line) => JSON.parse(line)).find((entry) => entry.id === id);
    change(one.runs[0]);
    one.runs.length = 1;
    delete one.hand_computed;
    writeFileSync(join(folder, "one.jsonl"), `${JSON.stringify(one)}\n`);
    return run(folder).lines[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a start that is off by a minute, a number that is off, and an unknown term are noticed", () => {
  expect(
    changed("maintenance-blocks-long-jobs", (first) => {
      (first["starts"] as Record<string, number>)["long"] = 5761;
    }),
  ).toContain("long starts: expected 5761, came 5760");
  expect(
    changed("maintenance-blocks-long-jobs", (first) => {
      first["gpu_allocation"] = 0.04718;
    }),
  ).toContain("FAIL maintenance-blocks-long-jobs/1: gpu_allocation: expected 0.04718");
  expect(
    changed("maintenance-blocks-long-jobs", (first) => {
      first["policy"] = { mode: "skip", colour: "red" };
    }),
  ).toContain("SKIP maintenance-blocks-long-jobs/1: the policy field colour is not known");
});

if (!existsSync(beside))
  console.info("no shared truth beside the checkout: its field cases are not run");
test.skipIf(!existsSync(beside))("the shared cases, if they are beside the checkout", () => {
  expect(run(beside).lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
});
