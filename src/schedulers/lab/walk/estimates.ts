/** What is known of run times, by the value of the setting `runTimes`. */
import { limitEstimate } from "./limitEstimate.ts";
import type { EstimatePart } from "./parts.ts";

export const ESTIMATES: ReadonlyMap<string, EstimatePart<unknown>> = new Map([
  ["limit", limitEstimate],
]);
