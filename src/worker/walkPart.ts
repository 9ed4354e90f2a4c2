/** The lab's walk as one file beside the worker. */
import { addWalk as addToLab } from "../schedulers/lab/lab.ts";
import { walk } from "../schedulers/lab/walk/walk.ts";

/** Makes the walk known to the engine of this worker. */
export function addWalk(): void {
  addToLab(walk);
}
