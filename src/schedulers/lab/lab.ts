/**
 * The lab: one scheduler with every knob of the policy lab. Plain settings are served by the plain passes (`queuePass.ts`, `planPass.ts`), everything
 * else by the walk (`walk/`), which the program adds: a page fetches it only where a document needs it. Each takes a pool over from the
 * other as from any scheduler. See `docs/policies/`.
 */
import { assert } from "../../base/assert.ts";
import type { Scheduler } from "../../engine/view.ts";
import { settingsNeedWalk, worldNeedsWalk } from "./needsWalk.ts";
import { plain } from "./plain.ts";
import type { LabState } from "./state.ts";
import type { WalkState } from "./walk/state.ts";

let walk: Scheduler<WalkState> | null = null;

/** Makes the walk known from now on. */
export function addWalk(scheduler: Scheduler<WalkState>): void {
  walk = scheduler;
}

/** Whether the walk is here. */
export function hasWalk(): boolean {
  return walk !== null;
}

function theWalk(): Scheduler<WalkState> {
  assert(walk !== null, "the walk is needed and was not added");
  return walk;
}

function isWalk(state: LabState | WalkState): state is WalkState {
  return "walk" in state;
}

export const lab: Scheduler<LabState | WalkState> = {
  init(view, pool, before) {
    if (!settingsNeedWalk(pool.settings) && !worldNeedsWalk(view)) return plain.init(view, pool);
    return theWalk().init(view, pool, before !== undefined && isWalk(before) ? before : undefined);
  },

  decide(view, happened, state, act) {
    if (isWalk(state)) return theWalk().decide(view, happened, state, act);
    return plain.decide(view, happened, state, act);
  },

  life({ settings }) {
    const { passPer, releaseAtEstimate } = settings;
    if (passPer !== "event" && passPer !== "eventArrivalsFirst") return {};
    const arrivalsFirst = passPer === "eventArrivalsFirst";
    return { passPer: { arrivalsFirst, releaseAtLimit: releaseAtEstimate === true } };
  },

  reserved(view, pool, state) {
    if (!isWalk(state)) return theWalk().init(view, pool);
    state.stale = true;
    return state;
  },

  explain(view, state, jobIdx) {
    if (isWalk(state)) return theWalk().explain(view, state, jobIdx);
    return plain.explain(view, state, jobIdx);
  },

  shares: (view, state) => (isWalk(state) ? (theWalk().shares?.(view, state) ?? []) : []),

  windows: (state) => (isWalk(state) ? (theWalk().windows?.(state) ?? []) : []),

  labFacts(view, state, jobIdx) {
    return isWalk(state) ? (theWalk().labFacts?.(view, state, jobIdx) ?? null) : null;
  },

  candidates(view, state, jobIdx) {
    if (isWalk(state)) return theWalk().candidates?.(view, state, jobIdx) ?? null;
    return plain.candidates?.(view, state, jobIdx) ?? null;
  },

  same: (a, b) => !isWalk(a) && !isWalk(b) && (plain.same?.(a, b) ?? false),

  snapshot: (state) => (isWalk(state) ? theWalk().snapshot(state) : plain.snapshot(state)),
};
