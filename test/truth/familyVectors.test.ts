import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";

const here = fileURLToPath(new URL("vectors", import.meta.url));

function run(file: string) {
  const lines: string[] = [];
  const totals = conformance([join(here, file)], (line) => lines.push(line));
  return { totals, failures: lines.filter((line) => line.startsWith("FAIL")) };
}

describe.each([
  ["volcano.deserved", 3],
  ["volcano.gang-evictable", 3],
  ["volcano.node-score", 4],
  ["volcano.queue-gate", 3],
  ["volcano.reclaim", 3],
  ["kube-scheduler.node-score", 8],
  ["kube-scheduler.preempt", 11],
  ["kueue.cycle", 4],
  ["kueue.flavor", 6],
  ["kueue.partial-admission", 2],
  ["kueue.preempt", 37],
  ["kueue.queue-order", 3],
  ["kueue.requeue-backoff", 2],
  ["kueue.share", 6],
  ["kueue.topology", 10],
  ["kueue.tournament", 2],
  ["kueue.usage-decay", 4],
  ["kai.fair-share", 9],
  ["kai.reclaim-allowed", 3],
  ["mig.placement", 5],
  ["ray.launch-limit", 5],
  ["ray.node-choice", 7],
  ["ray.placement-group", 7],
])("%s", (table, cases) => {
  test("every case comes out as the real system's tables say", () => {
    const { totals, failures } = run(`${table}.json`);
    expect(failures).toEqual([]);
    expect(totals).toEqual({ passed: cases, failed: 0, skipped: 0 });
  });
});
