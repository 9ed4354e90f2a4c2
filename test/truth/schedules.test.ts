import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";

const here = fileURLToPath(new URL("schedules", import.meta.url));
const beside = fileURLToPath(new URL("../../../shared/truth/schedules", import.meta.url));

function run(...paths: string[]) {
  const lines: string[] = [];
  const totals = conformance(paths, (line) => lines.push(line));
  return { totals, lines };
}

describe("published schedules", () => {
  test("FCFS and per-instant EASY start and end all 50,000 jobs at the published second", () => {
    const { totals, lines } = run(here);
    expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
    expect(totals).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  test("a schedule that is off by one second in one job is refused, with that job named", () => {
    const folder = mkdtempSync(join(tmpdir(), "queuescope-truth-"));
    try {
      const name = "pyss-lublin256-50k-est-fcfs.csv.gz";
      const index = JSON.parse(readFileSync(join(here, "index.json"), "utf8"));
      index.schedules = index.schedules.filter((entry: { file: string }) => entry.file === name);
      writeFileSync(join(folder, "index.json"), JSON.stringify(index));
      copyFileSync(
        join(here, index.schedules[0].workload),
        join(folder, index.schedules[0].workload),
      );
      const rows = gunzipSync(readFileSync(join(here, name)))
        .toString()
        .split("\n");
      const [job, submit, start, end, procs] = (rows[40_001] ?? "").split(",");
      rows[40_001] = [job, submit, Number(start) + 1, end, procs].join(",");
      writeFileSync(join(folder, name), gzipSync(rows.join("\n")));
      const { totals, lines } = run(folder);
      expect(totals).toEqual({ passed: 0, failed: 1, skipped: 0 });
      expect(lines[0]).toContain(`FAIL pyss-lublin256-50k-est-fcfs: job ${job} expected`);
      expect(lines[0]).toContain("(1 of 50000 jobs differ)");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

if (!existsSync(beside))
  console.info("no shared truth beside the checkout: its schedules are not run");
describe.runIf(existsSync(beside))("all published schedules beside the checkout", () => {
  test("every schedule under our rules agrees job by job; other rules are skipped by name", () => {
    const { totals, lines } = run(beside);
    expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
    expect(totals.passed).toBeGreaterThan(0);
    for (const line of lines.filter((one) => one.startsWith("SKIP"))) {
      expect(line).toMatch(/comes with the policy lab|is not here/);
    }
  });
});
