import { describe, expect, test } from "vitest";
import { JobFlag } from "../../src/model/jobs.ts";
import { StopReasonCode } from "../../src/model/reasons.ts";
import { EndStateCode } from "../../src/model/states.ts";
import { type Chunk, DecisionKindCode } from "../../src/record/shapes.ts";
import { LostWork } from "../../src/timeline/lostWork.ts";

type Kind = "saved" | "unsaved" | "restart";
type Decision = readonly [atMs: number, kind: Kind, value?: number];
type Run = readonly [startMs: number, endMs: number, end: keyof typeof EndStateCode, stop?: number];

/** A chunk in which job 0 has these decisions and runs. */
function chunk(decisions: readonly Decision[], runs: readonly Run[]): Chunk {
  return {
    decisions: {
      atMs: Float64Array.from(decisions, ([atMs]) => atMs),
      kind: Uint8Array.from(decisions, ([, kind]) => DecisionKindCode[kind]),
      jobIdx: new Uint32Array(decisions.length),
      value: Float64Array.from(decisions, ([, , value]) => value ?? 0),
    },
    runs: {
      startMs: Float64Array.from(runs, ([startMs]) => startMs),
      endMs: Float64Array.from(runs, ([, endMs]) => endMs),
      jobIdx: new Uint32Array(runs.length),
      run: Uint16Array.from(runs, (_, index) => index + 1),
      endState: Uint8Array.from(runs, ([, , end]) => EndStateCode[end]),
      stopReason: Uint8Array.from(runs, ([, , , stop]) => stop ?? StopReasonCode.preempted),
    },
  } as unknown as Chunk;
}

function lost(chunks: readonly Chunk[], flags = 0): LostWork {
  const work = new LostWork();
  work.update(chunks, Uint8Array.of(flags));
  return work;
}

describe("work that a stop throws away", () => {
  test("is all since the last checkpoint, and what was saved before is kept", () => {
    const work = lost([chunk([[60, "saved"]], [[0, 100, "preempted"]])]);
    expect(work.ofJob(0)).toEqual([{ fromMs: 60, toMs: 100, atMs: 100 }]);
    expect(work.lostAtMs(0, 30)).toBe(Number.POSITIVE_INFINITY);
    expect(work.lostAtMs(0, 60)).toBe(100);
  });

  test("is nothing where the checkpoint was complete as the run stopped", () => {
    expect(lost([chunk([[100, "saved"]], [[0, 100, "preempted"]])]).any).toBe(false);
  });

  test("is the whole run where nothing was saved, and none where the work was done", () => {
    expect(lost([chunk([], [[5, 9, "requeued"]])]).ofJob(0)).toEqual([
      { fromMs: 5, toMs: 9, atMs: 9 },
    ]);
    expect(lost([chunk([], [[5, 9, "completed"]])]).any).toBe(false);
    expect(lost([chunk([], [[5, 9, "failed", StopReasonCode.workDone]])]).any).toBe(false);
    expect(lost([chunk([], [[5, 9, "failed", StopReasonCode.hung]])]).any).toBe(true);
  });

  test("of an earlier run is lost when its checkpoint is, between two runs", () => {
    const work = lost([
      chunk([[60, "saved"]], [[0, 100, "preempted"]]),
      chunk([[150, "unsaved"]], [[200, 300, "completed"]]),
    ]);
    expect(work.lostAtMs(0, 30)).toBe(150);
    expect(work.lostAtMs(0, 80)).toBe(100);
    expect(work.lostAtMs(0, 250)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is kept in memory when a checkpoint is lost during a run, until that run stops", () => {
    const finished = lost([
      chunk(
        [
          [60, "saved"],
          [80, "unsaved"],
        ],
        [[0, 100, "completed"]],
      ),
    ]);
    expect(finished.any).toBe(false);
    const stopped = lost([
      chunk(
        [
          [60, "saved"],
          [80, "unsaved"],
        ],
        [[0, 100, "preempted"]],
      ),
    ]);
    expect(stopped.lostAtMs(0, 10)).toBe(100);
  });

  test("of a group that forms anew is lost within the run, from the last checkpoint on", () => {
    const work = lost([
      chunk(
        [
          [60, "saved"],
          [90, "restart", 30],
        ],
        [[0, 200, "completed"]],
      ),
    ]);
    expect(work.ofJob(0)).toEqual([{ fromMs: 60, toMs: 90, atMs: 90 }]);
  });

  test("is none of a service's", () => {
    expect(lost([chunk([], [[0, 100, "nodeFailed"]])], JobFlag.service).any).toBe(false);
  });

  test("is the same whether the record came at once or in parts; another record starts anew", () => {
    const parts = [
      chunk([[60, "saved"]], [[0, 100, "preempted"]]),
      chunk([[260, "saved"]], [[200, 300, "nodeFailed"]]),
    ];
    const slow = new LostWork();
    slow.update(parts.slice(0, 1), Uint8Array.of(0));
    slow.update(parts, Uint8Array.of(0));
    expect(slow.ofJob(0)).toEqual(lost(parts).ofJob(0));
    slow.update(parts.slice(1), Uint8Array.of(0));
    expect(slow.ofJob(0)).toEqual([{ fromMs: 260, toMs: 300, atMs: 300 }]);
  });
});
