/** Windows, maintenance and advance reservations in the walk: what is known of them closes nodes; where one kills, what runs there is queued again. Rules: `scheduling/windows`. */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import type { KeptWindow } from "../../../../model/lab/tenancy.ts";
import { StopReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import {
  beginningNow,
  copyWindows,
  createWindows,
  isAdmitted,
  refreshWindows,
  type Stretch,
  type WindowsState,
} from "../../../../scheduling/windows/windows.ts";
import type { ClosurePart } from "../parts.ts";

const held = new Grant();

export const windowClosures: ClosurePart<WindowsState> = {
  // A reservation may be made at any time.
  applies: () => true,
  create: createWindows,
  copy: copyWindows,
  wakeMs: (state) => state.untilMs,

  before(state, view, _pool, _shapes, act) {
    if (!refreshWindows(state, view)) return;
    for (const stretch of beginningNow(state, view.nowMs)) {
      for (const jobIdx of jobsIn(state, view, stretch))
        act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.windowBegan);
    }
  },

  known: (state) => state.known,
  admits: (state, view, closure, jobIdx) =>
    isAdmitted(view, state.windows[(closure as Stretch).window]!.rule, jobIdx),
};

/** Windows as they are kept now. */
export function keptWindows(
  closures: readonly { readonly part: number; readonly state: unknown }[],
  parts: readonly ClosurePart<unknown>[],
): readonly KeptWindow[] {
  const own = closures.find(({ part }) => parts[part] === (windowClosures as ClosurePart<unknown>));
  return own ? (own.state as WindowsState).windows.map(({ rule, nodes }) => ({ rule, nodes })) : [];
}

/** Jobs that hold something on the nodes and have no right to be there, ascending. O(what runs). */
function jobsIn(state: WindowsState, view: PoolView, stretch: Stretch): number[] {
  const nodes = new Set(stretch.nodes);
  const { rule } = state.windows[stretch.window]!;
  const running = view.running();
  const found: number[] = [];
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (view.jobState[jobIdx] === JobStateCode.ending) continue;
    held.clear();
    view.holdings(jobIdx, held);
    const inside = held.node.subarray(0, held.length).some((node) => nodes.has(node));
    if (inside && !isAdmitted(view, rule, jobIdx)) found.push(jobIdx);
  }
  return found;
}
