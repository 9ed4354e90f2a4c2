/**
 * A tiny walk for tests of steps and closures: waiting jobs in order of tier and number, each that fits starts (nobody is reserved for), first fit. It tells
 * its parts what happens as the lab's walk does.
 */
import { Grant } from "../../src/engine/grant.ts";
import type { Actions, Happened, IndexList, PoolView, Scheduler } from "../../src/engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";
import { JobStateCode } from "../../src/model/states.ts";
import type {
  Closure,
  ClosurePart,
  Hooks,
  Part,
  StepPart,
} from "../../src/schedulers/lab/walk/parts.ts";
import { shapesOf } from "../../src/scheduling/placement/shapes.ts";
import { addMember } from "./members.ts";
import { fcfs } from "./testScheduler.ts";

interface Walk {
  readonly states: unknown[];
}

type Hook = keyof Hooks<unknown>;

/** Steps and closures of the lab on a queue that could not be simpler. */
export function steppingScheduler(
  steps: readonly StepPart<unknown>[],
  closures: readonly ClosurePart<unknown>[] = [],
): Scheduler<Walk> {
  const all: readonly Part<unknown>[] = [...steps, ...closures];
  const used = (view: PoolView) =>
    [...steps, ...closures].map((part) =>
      part.applies(view, view.world.pools[view.pool]!.settings),
    );
  return {
    init: (view, pool) => {
      const applies = used(view);
      return { states: all.map((part, i) => (applies[i] ? part.create(view, pool) : null)) };
    },
    snapshot: ({ states }) => ({
      states: all.map((part, i) => (states[i] === null ? null : part.copy(states[i]))),
    }),
    explain: (view, _state, jobIdx) =>
      fcfs.explain(view, { queue: [jobIdx], steppedMs: -1 }, jobIdx),
    decide(view, happened, { states }, real) {
      const tell = (hook: Hook, jobIdx: number) =>
        all.forEach((part, i) => {
          if (states[i] !== null) part.hooks?.[hook]?.(states[i], view, jobIdx);
        });
      tellNews(happened, tell);
      const act = tellingActions(real, tell);
      const pool = view.world.pools[view.pool]!.settings;
      const shapes = shapesOf(view.jobs, view.cluster);
      [...steps, ...closures].forEach((part, i) => {
        if (states[i] !== null) part.before?.(states[i], view, pool, shapes, act);
      });
      const closed = closures.flatMap((part, i) => {
        const state = states[steps.length + i];
        if (state === null) return [];
        return part.known(state, view).map((closure) => ({
          closure,
          admits: (jobIdx: number) =>
            !closure.forNobody && part.admits(state, view, closure, jobIdx),
        }));
      });
      serve(view, act, closed);
      steps.forEach((part, i) => {
        if (states[i] !== null) part.run?.(states[i], view, pool, shapes, act);
      });
      return all.reduce(
        (wakeMs, part, i) =>
          states[i] === null ? wakeMs : Math.min(wakeMs, part.wakeMs?.(states[i], view) ?? wakeMs),
        Number.POSITIVE_INFINITY,
      );
    },
  };
}

function tellNews(happened: Happened, tell: (hook: Hook, jobIdx: number) => void): void {
  const each = (list: IndexList, hook: Hook) => {
    for (let i = 0; i < list.length; i++) tell(hook, list.at[i]!);
  };
  each(happened.withdrawn, "withdrawn");
  each(happened.released, "released");
  each(happened.queued, "queued");
}

function tellingActions(act: Actions, tell: (hook: Hook, jobIdx: number) => void): Actions {
  return new Proxy(act, {
    get(target, key: keyof Actions) {
      const method = target[key].bind(target) as (...args: unknown[]) => void;
      return (...args: unknown[]) => {
        method(...args);
        const jobIdx = args[0] as number;
        if (key === "hold") tell("withdrawn", jobIdx);
        if (key === "admit") tell("queued", jobIdx);
        if (key === "place") tell("given", jobIdx);
        if (key === "evict") {
          tell("released", jobIdx);
          tell("queued", jobIdx);
        }
      };
    },
  });
}

interface Closed {
  readonly closure: Closure;
  readonly admits: (jobIdx: number) => boolean;
}

const grant = new Grant();

function serve(view: PoolView, act: Actions, closed: readonly Closed[]): void {
  const waiting = [...view.waiting().at.subarray(0, view.waiting().length)];
  waiting.sort((a, b) => view.tierOfJob[a]! - view.tierOfJob[b]! || a - b);
  for (const jobIdx of waiting) {
    const untilMs = view.nowMs + view.limitMs(jobIdx);
    const shut = new Set(
      closed
        .filter(({ closure, admits }) => closure.fromMs < untilMs && !admits(jobIdx))
        .flatMap(({ closure }) => [...closure.nodes]),
    );
    if (roomFor(view, jobIdx, shut)) {
      const startupMs = view.jobs.lab.get(jobIdx)?.startupMs ?? 0;
      act.place(jobIdx, grant, StartReasonCode.inOrder, startupMs);
    } else if (view.jobState[jobIdx] === JobStateCode.queued) {
      const open = roomFor(view, jobIdx, new Set());
      act.wait(jobIdx, open ? WaitReasonCode.window : WaitReasonCode.resources);
    }
  }
}

function roomFor(view: PoolView, jobIdx: number, shut: ReadonlySet<number>): boolean {
  grant.clear();
  const { at, components } = view.jobs;
  const first = at.firstComponent[jobIdx]!;
  for (let row = first; row < at.firstComponent[jobIdx + 1]!; row++) {
    let left = components.members[row]!;
    for (const node of view.nodes) {
      if (shut.has(node)) continue;
      while (left > 0 && addMember(view, grant, jobIdx, row - first, node)) left--;
    }
    if (left > 0) return false;
  }
  return true;
}
