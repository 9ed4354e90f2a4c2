/** What is known of run times (`scheduling/estimates`): one part that reads the setting `runTimes`. */
import {
  copyRunTimes,
  createRunTimes,
  endMs,
  lengthMs,
  noteEnd,
  noteStart,
  type RunTimes,
} from "../../../scheduling/estimates/runTimes.ts";
import type { EstimatePart } from "./parts.ts";

const runTimes: EstimatePart<RunTimes> = {
  create: createRunTimes,
  copy: copyRunTimes,
  hooks: { given: noteStart, released: noteEnd },
  lengthMs,
  endMs,
};

export const ESTIMATE = runTimes as EstimatePart<unknown>;
