import { describe, expect, test } from "vitest";
import { dependencyWords, slurmClock, slurmSpan } from "../../src/model/slurm/words.ts";
import { windowsOf } from "../../src/panels/gantt/reservations/windowsOf.ts";
import { nodeWord } from "../../src/panels/inspector/slurm/SlurmNode.tsx";
import {
  gpuIndices,
  passesText,
  preemptText,
  stateWord,
} from "../../src/panels/inspector/slurm/slurmJobWords.ts";
import type { Intervention } from "../../src/scenario/schema.ts";
import { fixtureCluster } from "./runFixture.ts";

const HOUR = 3_600_000;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("Slurm's own ways to write", () => {
  test("spans have days before a dash and no needless zero in front", () => {
    expect(slurmSpan(90_000)).toBe("1:30");
    expect(slurmSpan(30 * 60_000)).toBe("30:00");
    expect(slurmSpan(5 * HOUR)).toBe("5:00:00");
    expect(slurmSpan(50 * HOUR)).toBe("2-02:00:00");
    expect(slurmSpan(Number.POSITIVE_INFINITY)).toBe("UNLIMITED");
  });

  test("clock times go to the second, unknown ones are N/A", () => {
    expect(plain(slurmClock(HOUR + 30_000))).toBe("Day 1 01:00:30");
    expect(slurmClock(Number.POSITIVE_INFINITY)).toBe("N/A");
  });

  test("dependencies as --dependency takes them", () => {
    const words = (kind: "after" | "afterOk" | "afterNotOk" | "afterAny", delayMs = 0) =>
      dependencyWords({ kind, delayMs, singleton: false }, "12");
    expect(words("afterOk")).toBe("afterok:12");
    expect(words("afterNotOk")).toBe("afternotok:12");
    expect(words("afterAny")).toBe("afterany:12");
    expect(words("after", 300_000)).toBe("after:12+5");
    expect(dependencyWords({ kind: "afterAny", delayMs: 0, singleton: true }, "12")).toBe(
      "singleton",
    );
  });
});

describe("a job in Slurm's words", () => {
  const rect = (device: number, deviceCount: number, memberState = 2) => ({
    startMs: 0,
    endMs: HOUR,
    device,
    deviceCount,
    memberState,
    part: 0,
  });

  test("GPU indices count from 0 on each node, neighbours as a range", () => {
    const held = [rect(8, 2), rect(13, 1), rect(0, 8)];
    expect(gpuIndices(fixtureCluster(2), held)).toBe("node-01:0-7 node-02:0-1,5");
  });

  test("states are those of squeue and sacct", () => {
    const run = {
      run: 1,
      startMs: 0,
      endMs: HOUR,
      devices: 1,
      endState: 2,
      startReason: 0,
      stopReason: 2,
    };
    expect(stateWord({ kind: "waiting", fromMs: 0, startMs: 1 }, [])).toBe("PENDING");
    expect(stateWord({ kind: "running", run }, [rect(0, 1)])).toBe("RUNNING");
    expect(stateWord({ kind: "running", run }, [rect(0, 1, 4)])).toBe("SUSPENDED");
    expect(stateWord({ kind: "running", run }, [rect(0, 1, 5)])).toBe("COMPLETING");
    expect(stateWord({ kind: "done", run }, [])).toBe("TIMEOUT");
    expect(stateWord({ kind: "done", run: { ...run, endState: 6 } }, [])).toBe("NODE_FAIL");
  });

  test("who may preempt it, from when on, and what becomes of it", () => {
    const facts = {
      by: ["high"],
      of: "qos",
      mode: "requeue",
      graceMs: 120_000,
      exemptUntilMs: 2 * HOUR,
    } as const;
    expect(plain(preemptText(facts, HOUR))).toBe(
      "jobs of QOS high, from 02:00 on; it would be requeued after a grace of 2:00",
    );
    expect(preemptText({ ...facts, by: [] }, HOUR)).toBe("nobody");
    expect(preemptText({ ...facts, mode: "off" }, HOUR)).toBe("nobody");
  });

  test("the next passes, or that none is due", () => {
    const never = Number.POSITIVE_INFINITY;
    expect(plain(passesText({ nextMainMs: never, nextBackfillMs: 30_000 }, undefined))).toBe(
      "backfill at Day 1 00:00:30",
    );
    expect(passesText({ nextMainMs: never, nextBackfillMs: never }, undefined)).toBe(
      "none until something changes",
    );
  });
});

test("a node is what sinfo calls it", () => {
  const word = (state: "open" | "drained" | "down" | "silent", held: number, maint = false) =>
    nodeWord({ state, held, devices: 8 }, maint, maint);
  expect(word("open", 0)).toBe("IDLE");
  expect(word("open", 3)).toBe("MIXED");
  expect(word("open", 8)).toBe("ALLOCATED");
  expect(word("silent", 8)).toBe("ALLOCATED");
  expect(word("drained", 2)).toBe("DRAINING");
  expect(word("drained", 0)).toBe("DRAINED");
  expect(word("open", 0, true)).toBe("MAINT");
  expect(word("down", 0, true)).toBe("DOWN");
  expect(nodeWord({ state: "open", held: 0, devices: 8 }, false, true)).toBe("RESERVED");
});

describe("windows of a reservation", () => {
  const row = (flags: readonly string[]) => ({
    name: "r",
    startMs: 2 * HOUR,
    endMs: 4 * HOUR,
    nodes: [0],
    flags,
  });
  const times = (list: ReturnType<typeof windowsOf>) =>
    list.map((one) => [one.startMs / HOUR, one.endMs / HOUR]);

  test("once, or every day up to the end of the run", () => {
    expect(times(windowsOf(row([]), 0, [], 100 * HOUR))).toEqual([[2, 4]]);
    expect(times(windowsOf(row(["DAILY"]), 0, [], 50 * HOUR))).toEqual([
      [2, 4],
      [26, 28],
      [50, 52],
    ]);
  });

  test("a deletion cuts the window it falls in and takes those after it", () => {
    const gone: Intervention = { atMs: 27 * HOUR, kind: "unreserve", name: "r" };
    expect(times(windowsOf(row(["DAILY"]), 0, [gone], 100 * HOUR))).toEqual([
      [2, 4],
      [26, 27],
    ]);
  });
});
