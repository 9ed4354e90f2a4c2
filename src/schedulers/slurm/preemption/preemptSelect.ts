/**
 * A place for a job at the cost of others (`_run_now` of select/cons_tres): candidates are taken away one by one until the job fits.
 * To be asked only when the job does not fit beside all of them. With gang scheduling, CPUs of lower partitions and of jobs that
 * take turns need no victim: those jobs are suspended when this one starts (`gangRoom`); GPUs are never shared.
 */

import { share } from "../../../base/bitSets.ts";
import { hasBit } from "../../../base/bits.ts";
import { usefulVictims } from "../../../scheduling/preemption/usefulVictims.ts";
import { giveRun } from "../life/runs.ts";
import type { Choice } from "../select/choice.ts";
import type { SlurmNodes } from "../select/nodes.ts";
import type { SelectOptions } from "../select/options.ts";
import type { Resources } from "../select/resources.ts";
import { copyResources, loadResources } from "../select/resources.ts";
import { selectNodes } from "../select/select.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { stopMode } from "./preempt.ts";

const scratches = new WeakMap<SlurmNodes, Resources>();

/** A copy of what is free, to be changed at will until the next call. O(nodes). */
export function scratchOf(state: SlurmState): Resources {
  const { nodes } = state.setup;
  let scratch = scratches.get(nodes);
  if (scratch === undefined) {
    scratch = copyResources(state.resources);
    scratches.set(nodes, scratch);
  } else loadResources(scratch, state.resources);
  return scratch;
}

/**
 * Fills `into` with a place on nodes of `candidates` and returns the jobs that must be stopped for it; null where even all victims
 * are not enough. `victims` in the order of `preemptables`; those that would only be suspended are passed over.
 * O(victims × selection).
 */
export function selectWithVictims(
  state: SlurmState,
  entry: QueueEntry,
  candidates: Int32Array,
  victims: readonly SlurmJob[],
  options: SelectOptions,
  into: Choice,
): SlurmJob[] | null {
  const removable = victims.filter((victim) => stopsForGood(state, victim));
  if (removable.length === 0) return null;
  const { nodes, config } = state.setup;
  const { preemptReorderCount, preemptStrictOrder } = config.scheduler;
  let scratch = scratchOf(state);
  const found = usefulVictims(victims.length, preemptReorderCount, preemptStrictOrder, {
    reset() {
      scratch = scratchOf(state);
    },
    remove(at) {
      const victim = victims[at]!;
      if (!stopsForGood(state, victim) || !share(victim.nodes!, candidates)) return false;
      giveRun(state, scratch, victim);
      return true;
    },
    fits: () => selectNodes(nodes, entry.wanted, candidates, scratch, options, into),
    shares: (at) => sharedNodes(into, victims[at]!),
  });
  return found?.map((at) => victims[at]!).filter((victim) => stopsForGood(state, victim)) ?? null;
}

/**
 * Whether a job could start now if all its victims were gone (`_will_run_test`: backfill then plans it "now", on the nodes of
 * `into`, and preempts only there). Victims that are suspended give back their CPUs only. O(victims + selection).
 */
export function fitsWithoutVictims(
  state: SlurmState,
  entry: QueueEntry,
  candidates: Int32Array,
  victims: readonly SlurmJob[],
  options: SelectOptions,
  into: Choice,
): boolean {
  if (victims.length === 0) return false;
  const { nodes } = state.setup;
  const scratch = scratchOf(state);
  for (const victim of victims) {
    if (stopsForGood(state, victim)) giveRun(state, scratch, victim);
  }
  return selectNodes(nodes, entry.wanted, candidates, scratch, options, into);
}

/** Victims that do not hold their devices at the moment the preemptor starts. */
export function stopsForGood(state: SlurmState, victim: SlurmJob): boolean {
  const mode = stopMode(state, victim);
  return mode === "requeue" || mode === "cancel";
}

function sharedNodes(choice: Choice, victim: SlurmJob): number {
  let shared = 0;
  for (let row = 0; row < choice.length; row++) {
    if (hasBit(victim.nodes!, choice.node[row]!)) shared++;
  }
  return shared;
}
