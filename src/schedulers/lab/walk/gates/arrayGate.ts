/**
 * Gate of array jobs: at most so many tasks of one array run at the same time (`array.atOnce`), however many devices are free. A task that
 * holds anything counts. O(1) a question. Source: `--array=…%n` of Slurm. Pathology: a low cap leaves devices idle while tasks wait.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import type { GatePart } from "../parts.ts";

interface Capped {
  readonly id: string;
  readonly most: number;
}

interface ArrayState {
  /** Tasks that run, and how many by array. */
  readonly running: Set<number>;
  readonly count: Map<string, number>;
  /** Arrays that have a cap, numbered. Never changed: copies share it. */
  readonly caps: readonly Capped[];
  readonly numberOf: ReadonlyMap<string, number>;
}

function capped(view: PoolView, jobIdx: number): Capped | null {
  const request = view.jobs.slurm.get(jobIdx);
  if (request === undefined || request.arrayId === "") return null;
  return Number.isFinite(request.arrayMost)
    ? { id: request.arrayId, most: request.arrayMost }
    : null;
}

/** The arrays that have a cap. */
function capsOf(view: PoolView): Pick<ArrayState, "caps" | "numberOf"> {
  const caps: Capped[] = [];
  const numberOf = new Map<string, number>();
  for (const jobIdx of view.jobs.slurm.keys()) {
    const array = capped(view, jobIdx);
    if (array === null || numberOf.has(array.id)) continue;
    numberOf.set(array.id, caps.length);
    caps.push(array);
  }
  return { caps, numberOf };
}

function follow(state: ArrayState, view: PoolView, jobIdx: number): void {
  const array = capped(view, jobIdx);
  if (array === null) return;
  const jobState = view.jobState[jobIdx]!;
  const runs = jobState >= JobStateCode.placed && jobState !== JobStateCode.done;
  if (runs === state.running.has(jobIdx)) return;
  if (runs) state.running.add(jobIdx);
  else state.running.delete(jobIdx);
  state.count.set(array.id, (state.count.get(array.id) ?? 0) + (runs ? 1 : -1));
}

export const arrayGate: GatePart<ArrayState> = {
  applies(view) {
    for (const { arrayId, arrayMost } of view.jobs.slurm.values())
      if (arrayId !== "" && Number.isFinite(arrayMost)) return true;
    return false;
  },

  create(view) {
    const state: ArrayState = { running: new Set(), count: new Map(), ...capsOf(view) };
    const running = view.running();
    for (let i = 0; i < running.length; i++) follow(state, view, running.at[i]!);
    return state;
  },

  copy: (state) => ({
    ...state,
    running: new Set(state.running),
    count: new Map(state.count),
  }),

  hooks: { given: follow, released: follow },

  verdict(state, view, jobIdx) {
    const array = capped(view, jobIdx);
    if (array === null || state.running.has(jobIdx)) return WaitReasonCode.none;
    const full = (state.count.get(array.id) ?? 0) >= array.most;
    return full ? WaitReasonCode.limit : WaitReasonCode.none;
  },

  parking: {
    heldBy: (state, view, jobIdx) => state.numberOf.get(capped(view, jobIdx)?.id ?? "") ?? null,
    measure: () => "jobs",
    asks: () => Number.POSITIVE_INFINITY,
    room({ caps, count }, _view, ceiling) {
      const { id, most } = caps[ceiling]!;
      return most - (count.get(id) ?? 0);
    },
    touchedBy(state, view, jobIdx) {
      const number = state.numberOf.get(capped(view, jobIdx)?.id ?? "");
      return number === undefined ? [] : [number];
    },
  },

  explain(state, view, jobIdx) {
    const array = capped(view, jobIdx);
    if (array === null) return null;
    const used = state.count.get(array.id) ?? 0;
    return { whose: `array ${array.id}`, used, most: array.most, asked: 1, unit: "jobs" };
  },
};
