/** Every file of sacct beside the checkout gives the facts that were counted independently (`FACTS.json`). */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dayOfCivil, readCivil } from "../../src/base/civilDate.ts";
import { detectFormat } from "../../src/formats/detect.ts";
import { readForeign } from "../../src/formats/registry.ts";
import { must } from "../scenario/scenarios.ts";

const folder = new URL("../../../shared/traces/", import.meta.url);
const present = existsSync(new URL("FACTS.json", folder));
if (!present)
  console.warn(
    "The folder with the traces is absent: files of sacct are not compared with FACTS.json.",
  );

interface Entry {
  readonly format: string;
  readonly jobs: number;
  readonly steps: number;
  readonly state_counts: Readonly<Record<string, number>>;
  readonly submit_min: string;
  readonly submit_max: string;
  readonly partition_counts?: Readonly<Record<string, number>>;
  readonly max_gpus?: number;
  readonly gpu_hours?: number;
  readonly cpu_hours_from_CPUTimeRAW?: number;
  readonly quirks: { readonly lines_with_other_field_count: number };
  readonly truth?: {
    readonly records: number;
    readonly truncated_records?: number;
    readonly jobs?: number;
  };
}

const entries: readonly (readonly [string, Entry])[] = present
  ? Object.entries(
      JSON.parse(readFileSync(new URL("FACTS.json", folder), "utf8")) as Record<string, Entry>,
    ).filter(([, entry]) => entry.format === "sacct" || entry.format === "sacct-noheader")
  : [];

const secondsOf = (text: string): number => {
  const time = readCivil(text)!;
  return dayOfCivil(time) * 86_400 + time.ofDayMs / 1_000;
};

describe.runIf(present)("facts of sacct equal the independent count", () => {
  test("there are files to compare", () => expect(entries.length).toBeGreaterThan(5));

  test.each(entries)("%s", (path, wanted) => {
    const bytes = new Uint8Array(readFileSync(new URL(path, folder)));
    expect(detectFormat(bytes)).toBe(wanted.format);
    const { facts, workload } = must(readForeign(bytes, path));
    const { step = 0, badRow = 0, ...others } = facts.skipped;
    const skipped = Object.values(others).reduce((sum, count) => sum + count, 0);
    expect(workload.count + skipped).toBe(facts.jobs);
    expect(step).toBe(wanted.steps);
    if (wanted.truth !== undefined) {
      // Rows with delimiters inside a name: the independent count left them out, here they are repaired.
      expect(facts.jobs).toBe(wanted.truth.jobs ?? wanted.truth.records);
      expect(badRow).toBe(wanted.truth.truncated_records ?? 0);
      return;
    }
    expect(badRow).toBe(wanted.quirks.lines_with_other_field_count);
    expect(facts.jobs).toBe(wanted.jobs);
    expect(facts.statusCounts).toEqual(wanted.state_counts);
    expect(facts.submitFirstSec).toBe(secondsOf(wanted.submit_min));
    expect(facts.submitLastSec).toBe(secondsOf(wanted.submit_max));
    if (wanted.gpu_hours !== undefined) expect(facts.gpuHours).toBeCloseTo(wanted.gpu_hours, 3);
    if (wanted.max_gpus !== undefined) expect(facts.maxGpus).toBe(wanted.max_gpus);
    if (wanted.cpu_hours_from_CPUTimeRAW !== undefined)
      expect(facts.cpuHours).toBeCloseTo(wanted.cpu_hours_from_CPUTimeRAW, 3);
    if (facts.partitions !== null)
      expect(facts.partitions).toBe(Object.keys(wanted.partition_counts ?? {}).length);
  });
});
