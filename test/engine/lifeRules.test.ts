import { describe, expect, test } from "vitest";
import type { LifeRules } from "../../src/engine/view.ts";
import { NO_REQUEST } from "../../src/model/slurm/request.ts";
import type { Change } from "../../src/model/world.ts";
import { runLines, runWorld } from "../support/draw.ts";
import { job, living, S, spec } from "../support/specs.ts";
import { scripted } from "../support/testScheduler.ts";
import { worldFromText, worldOf } from "../support/world.ts";

describe("the time limit", () => {
  const limited = (rules: Partial<LifeRules>, workMs = 100 * S, termMs = 0) =>
    runLines(
      runWorld(
        worldOf(spec([job("A", 0, workMs, { limitMs: 10 * S, slurm: { ...NO_REQUEST, termMs } })])),
        () => living(rules),
      ),
    );

  test("a job is stopped at the first check at or after its limit, counted from a phase that may be negative", () => {
    const every = { limitCheckEveryMs: 30 * S };
    expect(limited({ ...every, limitCheckPhaseMs: -7 * S })).toEqual(["A#1 0-23s x1 timeout"]);
    expect(limited({ ...every, limitCheckPhaseMs: 10 * S })).toEqual(["A#1 0-10s x1 timeout"]);
  });

  test("a job may exceed its limit by OverTimeLimit, or for ever", () => {
    expect(limited({ overLimitMs: 5 * S })).toEqual(["A#1 0-15s x1 timeout"]);
    expect(limited({ overLimitMs: Number.POSITIVE_INFINITY })).toEqual(["A#1 0-100s x1 completed"]);
  });

  test("work that is done between limit and check, or at the check, is done", () => {
    const rules = { limitCheckEveryMs: 30 * S };
    expect(limited(rules, 29 * S)).toEqual(["A#1 0-29s x1 completed"]);
    expect(limited(rules, 30 * S)).toEqual(["A#1 0-30s x1 completed"]);
    expect(limited(rules, 31 * S)).toEqual(["A#1 0-30s x1 timeout"]);
  });

  test("a stopped job lives on for what it needs to end, at most KillWait", () => {
    expect(limited({ killWaitMs: 30 * S }, 100 * S, 4 * S)).toEqual(["A#1 0-14s x1 timeout"]);
    expect(limited({ killWaitMs: 3 * S }, 100 * S, 4 * S)).toEqual(["A#1 0-13s x1 timeout"]);
    expect(limited({}, 100 * S, 4 * S)).toEqual(["A#1 0-10s x1 timeout"]);
  });

  test("another policy's checks hold for jobs that run already", () => {
    const change: Change = {
      atMs: 12 * S,
      source: 0,
      kind: "policy",
      pool: 0,
      settings: { preset: "prompt", settings: {} },
    };
    const world = worldOf(spec([job("A", 0, 100 * S, { limitMs: 10 * S })], [change]));
    const presets = (name: string) =>
      name === "prompt" ? living({}) : living({ limitCheckEveryMs: 30 * S });
    expect(runLines(runWorld(world, presets))).toEqual(["A#1 0-12s x1 timeout"]);
  });

  test("a scheduler may set another limit before the start and during the run", () => {
    const world = worldFromText("1 gpus\n0s A x1 100s limit 50s\n0s B x1 100s limit 50s");
    const outcome = runWorld(world, () =>
      scripted({
        0: (_view, act) => act.setLimit(1, 5 * S),
        20000: (view, act) => {
          act.setLimit(0, 30 * S);
          expect(view.limitEndMs[0]).toBe(30 * S);
          expect(view.limitMs(0)).toBe(30 * S);
        },
      }),
    );
    expect(runLines(outcome)).toEqual(["A#1 0-30s x1 timeout", "B#1 30-35s x1 timeout"]);
  });
});

describe("a crash that nobody has noticed", () => {
  const notice = { noticeAfterMs: 30 * S, noticeEveryMs: 15 * S, noticePhaseMs: 7 * S };
  const text = "2 nodes x 1 gpus\n0s A x1 60s\n0s B x1 100s\n10s ! fail 0";

  test("is noticed at the first check more than the time-out after the last one before it", () => {
    // Last check at 7 s; 52 s is the first more than 30 s later.
    const outcome = runWorld(worldFromText(text), () => living(notice));
    expect(runLines(outcome)[0]).toBe("A#1 0-52s x1 nodeFailed");
  });

  test("until then the node takes no work, what runs there holds and gets nothing done", () => {
    const free = runWorld(
      worldFromText("1 nodes x 2 gpus\n0s A x1 20s\n5s ! fail 0\n15s B x1 5s\n25s ! resume 0"),
      () => living(notice),
    );
    expect(runLines(free)).toEqual(
      ["A#1 0-40s x1 completed", "B#1 25-30s x1 completed"].toReversed(),
    );
  });

  test("a failure that somebody reports is noticed at once", () => {
    const world = worldFromText(text);
    const changes = world.changes.map((change) => ({ ...change, noticed: true }) as Change);
    const outcome = runWorld({ ...world, changes }, () => living(notice));
    expect(runLines(outcome)[0]).toBe("A#1 0-10s x1 nodeFailed");
  });

  test("a policy that notices at once takes over with nothing unnoticed", () => {
    const world = worldFromText(`${text}\n20s ! policy 0 prompt`);
    const outcome = runWorld(world, (name) => living(name === "prompt" ? {} : notice));
    expect(runLines(outcome)[0]).toBe("A#1 0-20s x1 nodeFailed");
  });
});
