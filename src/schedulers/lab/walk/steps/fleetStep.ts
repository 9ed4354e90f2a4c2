/** The fleet controller in the walk: after each pass, this pool may hand nodes to the other one. What is done stands in `scheduling/services/fleetDesk.ts`. */
import type { FleetState } from "../../../../scheduling/services/fleet.ts";
import {
  createFleet,
  fleetWakeMs,
  giveNodes,
  isOfFleet,
} from "../../../../scheduling/services/fleetDesk.ts";
import type { StepPart } from "../parts.ts";

export const fleetStep: StepPart<FleetState> = {
  applies: isOfFleet,
  create: createFleet,
  copy: (state) => ({ ...state }),
  wakeMs: (_state, view) => fleetWakeMs(view),
  run(state, view, _pool, _shapes, act) {
    giveNodes(state, view, act);
  },
};
