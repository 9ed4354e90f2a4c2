/** Services in the walk: replicas are held, admitted or taken before the queue is gone through, and told of after it. What is done stands in `scheduling/services/serviceDesk.ts`. */
import type { PoolView } from "../../../../engine/view.ts";
import {
  copyServices,
  createServices,
  hasServices,
  type ServicesState,
  steerServices,
  tellServices,
} from "../../../../scheduling/services/serviceDesk.ts";
import { isReplica } from "../../../../scheduling/services/services.ts";
import type { StepPart } from "../parts.ts";

function noteChange(state: ServicesState, view: PoolView, jobIdx: number): void {
  if (isReplica(view, jobIdx)) state.changed = true;
}

export const serviceStep: StepPart<ServicesState> = {
  applies: hasServices,
  create: createServices,
  copy: copyServices,
  hooks: {
    queued: noteChange,
    withdrawn: noteChange,
    given: noteChange,
    released: noteChange,
  },
  wakeMs: (state) => state.dueMs,
  before: (state, view, _pool, _shapes, act) => steerServices(state, view, act),
  run: (state, view, _pool, _shapes, act) => tellServices(state, view, act),
};
