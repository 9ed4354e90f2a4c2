import { describe, expect, test } from "vitest";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { headWords, ruleOf } from "../../src/panels/queues/headWords.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Asks for two of eight nodes at 10:00; two runs end before its start at 11:05. */
const HEAD = {
  reason: WaitReasonCode.resources,
  plannedMs: 11 * HOUR + 5 * MINUTE,
  plannedNodes: [2, 5],
  unit: "nodes",
  unitsNeeded: 2,
  unitsFree: 0,
  gpusNeeded: 16,
  frees: [
    { jobIdx: 12, atMs: 10 * HOUR + 40 * MINUTE },
    { jobIdx: 40, atMs: 11 * HOUR + 5 * MINUTE },
    { jobIdx: 41, atMs: 13 * HOUR },
  ],
} as const;
const CONTEXT = {
  nowMs: 10 * HOUR,
  deviceWord: "GPU",
  devicesPerNode: 8,
  jobLabel: (jobIdx: number) => `job-${jobIdx}`,
} as const;
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const words = (head: Parameters<typeof headWords>[0], settings: Record<string, unknown>) => {
  const found = headWords(
    head,
    ruleOf("lab", (key) => settings[key]),
    CONTEXT,
  );
  return [found.kept, found.passing, found.holders].map(plain);
};

describe("the head of a queue in words", () => {
  test("EASY: who ends by the shadow time may pass, or who leaves the head what it needs then", () => {
    expect(words(HEAD, { backfill: "easy" })).toEqual([
      "kept for 11:05 on 2 nodes",
      "behind it may pass who ends by 11:05, or leaves it the 2 whole nodes that it needs then",
      "it waits for the end of job-12 (by limit 10:40) and job-40 (11:05)",
    ]);
  });

  test("EASY without what the head leaves: only who ends by the shadow time", () => {
    expect(words(HEAD, { backfill: "easy", extra: false })[1]).toBe(
      "behind it may pass who ends by 11:05",
    );
  });

  test("EASY without a reservation holds nobody back", () => {
    const head = { ...HEAD, plannedMs: Number.POSITIVE_INFINITY, plannedNodes: [] };
    expect(words(head, { backfill: "easy" })).toEqual([
      "",
      "nothing is kept for it: who fits may pass",
      "it waits for the end of job-12 (by limit 10:40), job-40 (11:05) and 1 more",
    ]);
  });

  test("EASY keeps no nodes for who waits for quota, and says so instead of naming ends of runs", () => {
    const head = {
      ...HEAD,
      reason: WaitReasonCode.quota,
      plannedMs: Number.POSITIVE_INFINITY,
      plannedNodes: [],
    };
    expect(words(head, { backfill: "easy" })).toEqual([
      "",
      "its team’s quota is in use, and nodes are kept only for who may start on them: who fits may pass",
      "",
    ]);
  });

  test("the schedulers of Kubernetes keep nothing for a head; only a strict queue of Kueue holds others back", () => {
    const wordsOf = (preset: string) =>
      headWords(
        { ...HEAD, plannedMs: Number.POSITIVE_INFINITY, plannedNodes: [] },
        ruleOf(preset, () => undefined),
        CONTEXT,
      ).passing;
    expect(wordsOf("kube-scheduler")).toBe("whoever fits may pass it: nothing is kept for it");
    expect(wordsOf("kueue")).toContain("unless its queue is strict");
  });

  test("in strict order nobody passes; with plain skipping whoever fits", () => {
    expect(words(HEAD, { backfill: "none" })[1]).toContain("nobody passes it");
    expect(words(HEAD, { backfill: "skip" })[1]).toContain("whoever fits may pass");
  });

  test("a head that has all it needs waits for nobody's end", () => {
    expect(words({ ...HEAD, unitsFree: 2 }, { backfill: "easy" })[2]).toBe("");
  });
});
