/** The choice of nodes for one job: those of its `FLEX` reservation first, then any it may use. */
import { keepIn } from "../../../base/bitSets.ts";
import { preferredNodes } from "../reservations/reservations.ts";
import type { Choice } from "../select/choice.ts";
import type { SelectOptions } from "../select/options.ts";
import type { Resources } from "../select/resources.ts";
import { selectNodes } from "../select/select.ts";
import type { QueueEntry, SlurmState } from "../state.ts";

/** As `selectNodes`, with the wishes of the job's reservation. */
export function selectFor(
  state: SlurmState,
  entry: QueueEntry,
  candidates: Int32Array,
  free: Resources,
  options: SelectOptions,
  into: Choice,
): boolean {
  const { nodes } = state.setup;
  const preferred = preferredNodes(state, entry.job);
  if (preferred !== null) {
    const inside = candidates.slice();
    keepIn(inside, preferred);
    if (selectNodes(nodes, entry.wanted, inside, free, options, into)) return true;
  }
  return selectNodes(nodes, entry.wanted, candidates, free, options, into);
}
