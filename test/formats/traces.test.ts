/** Every trace beside the checkout gives the facts that were counted independently (`FACTS.json`). */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";

const folder = new URL("../../../shared/traces/", import.meta.url);
const present = existsSync(new URL("FACTS.json", folder));
if (!present)
  console.warn("The folder with the traces is absent: the comparison with FACTS.json is left out.");

type Entry = Readonly<Record<string, unknown>> & { readonly format: string };
const entries: readonly (readonly [string, Entry])[] = present
  ? Object.entries(
      JSON.parse(readFileSync(new URL("FACTS.json", folder), "utf8")) as Record<string, Entry>,
    )
  : [];
const read = entries.filter(([, entry]) => /^(swf|swf-ext|itp-raw|itp-ef)$/.test(entry.format));

/** Ours on the left, theirs on the right: the table at the end of the contract. */
const table = {
  format: "format",
  jobs: "jobs",
  submitFirstSec: "submit_min",
  submitLastSec: "submit_max",
  gpuHours: "gpu_hours",
  cpuHours: "cpu_hours",
  maxGpus: "max_gpus",
  maxProcs: "max_procs_job",
  statusCounts: "status_counts",
  users: "users",
  partitions: "partitions",
} as const;

describe.runIf(present)("facts of real logs equal the independent count", () => {
  test("the list of logs is not empty", () => expect(read.length).toBeGreaterThan(15));

  test.each(read)("%s", (path, expected) => {
    const outcome = readForeign(new Uint8Array(readFileSync(new URL(path, folder))), path);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    const { facts, workload } = outcome.value;
    for (const [ours, theirs] of Object.entries(table) as [keyof typeof table, string][]) {
      const wanted = expected[theirs];
      if (wanted === undefined || wanted === null || facts[ours] === null) continue;
      if (typeof wanted === "number") expect(facts[ours], ours).toBeCloseTo(wanted, 3);
      else expect(facts[ours], ours).toEqual(wanted);
    }
    const skippedRows = Object.entries(facts.skipped).filter(
      ([name]) => name !== "notNumbers" && name !== "badRow",
    );
    expect(workload.count + skippedRows.reduce((sum, [, count]) => sum + count, 0)).toBe(
      facts.jobs,
    );
  });
});
