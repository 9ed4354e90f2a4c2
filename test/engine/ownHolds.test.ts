import { describe, expect, test } from "vitest";
import { Grant } from "../../src/engine/grant.ts";
import { type PoolView, PROMPT_LIFE, type Scheduler } from "../../src/engine/view.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import { StartReasonCode } from "../../src/model/reasons.ts";
import { NO_REQUEST } from "../../src/model/slurm/request.ts";
import type { Change, Command } from "../../src/model/world.ts";
import { runLines, runWorld } from "../support/draw.ts";
import { job, S, spec } from "../support/specs.ts";
import { fcfs, fitMembers, type Step } from "../support/testScheduler.ts";
import { worldOf } from "../support/world.ts";

interface Heard {
  readonly depended: number[];
  readonly commands: Command[];
}

/** Queues all, starts what is free to start, and notes what it hears. */
function ownHolder(heard: Heard, steps: Readonly<Record<number, Step>> = {}): Scheduler<null> {
  const grant = new Grant();
  const may = (view: PoolView, jobIdx: number) =>
    view.dependency(jobIdx) === "met" &&
    view.heldBy(jobIdx) === "nobody" &&
    view.jobs.at.beginMs[jobIdx]! <= view.nowMs;
  return {
    life: () => ({ ...PROMPT_LIFE, ownHolds: true }),
    init: () => null,
    decide(view, happened, _state, act) {
      for (let i = 0; i < happened.depended.length; i++)
        heard.depended.push(happened.depended.at[i]!);
      heard.commands.push(...happened.commands);
      steps[view.nowMs]?.(view, act, happened);
      const waiting = Array.from(view.waiting().at.subarray(0, view.waiting().length));
      for (const jobIdx of waiting)
        if (may(view, jobIdx) && fitMembers(view, jobIdx, grant))
          act.place(jobIdx, grant, StartReasonCode.inOrder);
      return view.nowMs < 60 * S ? view.nowMs + S : Number.POSITIVE_INFINITY;
    },
    explain: () => {
      throw new Error("not asked");
    },
    snapshot: (state) => state,
  };
}

describe("a scheduler that keeps jobs back itself", () => {
  const jobs = [
    job("A", 0, 5 * S, { flags: JobFlag.fails }),
    job("B", 0, 1 * S, { after: [{ name: "A", kind: "afterAny" }] }),
    job("C", 0, 1 * S, { after: [{ name: "A", kind: "afterOk" }] }),
    job("D", 0, 1 * S, { beginMs: 8 * S }),
    job("E", 0, 1 * S, { slurm: { ...NO_REQUEST, hold: true } }),
  ];
  const release: Change = { atMs: 12 * S, source: 0, kind: "release", jobIdx: 4 };

  test("meets every job when it is submitted, and hears of dependencies and commands", () => {
    const heard: Heard = { depended: [], commands: [] };
    let waited = 0;
    const outcome = runWorld(worldOf(spec(jobs, [release], { horizonMs: 20 * S })), () =>
      ownHolder(heard, { 0: (view) => (waited = view.waiting().length) }),
    );
    expect(waited).toBe(5);
    expect(heard.depended).toEqual([1, 2]);
    expect(heard.commands).toMatchObject([{ kind: "release", jobIdx: 4 }]);
    expect(runLines(outcome)).toEqual([
      "A#1 0-5s x1 failed",
      "B#1 5-6s x1 completed",
      "D#1 8-9s x1 completed",
      "E#1 12-13s x1 completed",
    ]);
    // C can never start, and stays.
    expect([...outcome.open.waits.jobIdx]).toEqual([2]);
  });

  test("where the engine keeps jobs back, the same jobs run at the same times, and the one that can never start leaves", () => {
    const outcome = runWorld(worldOf(spec(jobs, [release])), () => fcfs);
    expect(runLines(outcome)).toEqual([
      "A#1 0-5s x1 failed",
      "C#0 5-5s x0 cancelled",
      "B#1 5-6s x1 completed",
      "D#1 8-9s x1 completed",
      "E#1 12-13s x1 completed",
    ]);
  });

  const toPolicy = (atMs: number, preset: string): Change => ({
    atMs,
    source: 0,
    kind: "policy",
    pool: 0,
    settings: { preset, settings: {} },
  });
  const presets = (heard: Heard) => (name: string) =>
    (name === "own" ? ownHolder(heard) : fcfs) as Scheduler<unknown>;

  test.each([
    ["own", "engine"],
    ["engine", "own"],
  ])("from %s to %s nothing starts early and nothing is forgotten", (first, second) => {
    const world = worldOf(
      spec(jobs, [toPolicy(2 * S, second), release], {
        pools: [{ preset: first, settings: {} }],
        horizonMs: 20 * S,
      }),
    );
    const outcome = runWorld(world, presets({ depended: [], commands: [] }));
    expect(runLines(outcome).filter((line) => !line.startsWith("C"))).toEqual([
      "A#1 0-5s x1 failed",
      "B#1 5-6s x1 completed",
      "D#1 8-9s x1 completed",
      "E#1 12-13s x1 completed",
    ]);
  });

  test("a job whose dependency has become impossible leaves when the engine takes over", () => {
    const changes = [toPolicy(7 * S, "engine"), release];
    const world = worldOf(spec(jobs, changes, { pools: [{ preset: "own", settings: {} }] }));
    const outcome = runWorld(world, presets({ depended: [], commands: [] }));
    expect(runLines(outcome)).toContain("C#0 7-7s x0 cancelled");
  });
});
