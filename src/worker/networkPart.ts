/** The model of communication as one file beside the worker. */
import { addTraffic as addToEngine } from "../engine/respeed.ts";
import { Traffic } from "../engine/traffic/traffic.ts";

/** Makes it known to the engine of this worker. */
export function addTraffic(): void {
  addToEngine(Traffic);
}
