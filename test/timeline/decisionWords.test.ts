import { describe, expect, test } from "vitest";
import { StartReasonCode, StopReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";
import { DECISION_KINDS, DecisionKindCode, moveValue, PassKind } from "../../src/record/shapes.ts";
import { decisionWords, type LogContext, runLog } from "../../src/timeline/decisionWords.ts";
import { fixtureFuture, fixtureStage } from "../panels/runFixture.ts";

const HOUR = 3_600_000;
const context: LogContext = {
  calendar: undefined,
  jobLabel: (jobIdx) => `#${jobIdx}`,
  nodeName: (node) => `n-${node}`,
  deviceName: (device) => `GPU ${device}`,
  poolName: (pool) => `p-${pool}`,
  queueName: (queue) => `q-${queue}`,
  queueOf: () => 0,
};
const entry = (kind: (typeof DECISION_KINDS)[number], reason = 0, value = 0) =>
  ({ atMs: HOUR, kind: DecisionKindCode[kind], reason, value, jobIdx: 4, place: "" }) as const;
const words = (...given: Parameters<typeof entry>) =>
  decisionWords(entry(...given), context).replaceAll("\u00a0", " ");

describe("a decision in words", () => {
  test("a wait has its reason, a promise its time, a preemption the job it was for", () => {
    expect(words("wait", WaitReasonCode.resources)).toBe("Waits: too few free");
    expect(words("plan", 0, 2 * HOUR)).toBe("Promised for 02:00");
    expect(words("evict", 0, 7)).toBe("Preempted for job #7");
    expect(words("evict", 0, -1)).toBe("Stopped, to wait again");
    expect(words("evict", StopReasonCode.outbid, -1)).toBe("Stopped, to wait again: outbid");
    expect(words("round", 0, 2)).toBe("Round: 2 jobs gave way to jobs that stand before them now");
    expect(words("start", StartReasonCode.backfilled)).toMatch(/^Backfilled/);
    expect(words("move", 0, moveValue(3, -1))).toBe("Moved away from n-3");
    expect(words("move", StopReasonCode.migrated, moveValue(3, 7))).toBe(
      "Moved away from n-3 to make room for job #7",
    );
    expect(words("suspend", 0, 7)).toBe("Suspended for job #7");
    expect(words("suspend", 0, -1)).toBe("Suspended");
  });

  test("a pass says what it looked at, and a start from which queue where it is not the job's own", () => {
    const pass = { ...entry("pass", PassKind.backfill, 2), jobIdx: 57 };
    expect(decisionWords(pass, context).replaceAll("\u00a0", " ")).toBe(
      "Backfill pass: looked at 57 jobs, started 2",
    );
    expect(words("start", StartReasonCode.inOrder, 1)).toBe("Started in its turn");
    expect(words("start", StartReasonCode.inOrder, 3)).toBe("Started in its turn, from queue q-2");
  });

  test("nodes are rented, given back, handed over and cut anew in words", () => {
    expect(words("openNode", 0, 120_000)).toBe("Node n-4 rented: it boots for 2 m");
    expect(words("handNode", 0, 1)).toBe("Node n-4 handed to pool p-1");
    expect(words("repartition", 0, 30_000)).toBe("GPU 4 is cut anew, which takes 30 s");
    expect(words("restart", 0, 600_000)).toBe("Forms its group anew and loses 10 m of work");
  });

  test("every kind has words of its own", () => {
    const all = DECISION_KINDS.map((kind) => words(kind));
    expect(all).not.toContain("");
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the log", () => {
  const jobs = [0, 1, 2, 3].map((order) => ({
    submitMs: order * HOUR,
    gpus: 16,
    workMs: 2 * HOUR,
    limitMs: 3 * HOUR,
    tier: 1,
    name: `job-${order}`,
  }));
  const { chunks } = fixtureFuture(fixtureStage(2, jobs), 3);

  test("of a run is newest first, ends at the cursor and leaves out waits and promises", () => {
    const log = runLog(chunks, 4 * HOUR, 2);
    const times = log.map((line) => line.atMs);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(Math.max(...times)).toBe(4 * HOUR);
    expect(log.map((line) => DECISION_KINDS[line.kind])).toEqual(["start", "start"]);
    expect(log.map((line) => line.jobIdx)).toEqual([2, 1]);
  });
});
