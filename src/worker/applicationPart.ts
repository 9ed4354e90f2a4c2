/** What applications do by themselves as one file beside the worker. */
import { Application } from "../engine/application/application.ts";
import { addApplication as addToEngine } from "../engine/application/part.ts";

/** Makes it known to the engine of this worker. */
export function addApplication(): void {
  addToEngine(Application);
}
