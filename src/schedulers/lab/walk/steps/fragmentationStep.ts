/** Writes the gauge of fragmentation down after each pass where jobs are placed by it. */
import { gaugeFragmentation } from "../../fragmentationGauge.ts";
import type { StepPart } from "../parts.ts";

export const fragmentationStep: StepPart<Record<string, never>> = {
  applies: (_view, { settings }) => settings["placement"] === "fgd",
  create: () => ({}),
  copy: () => ({}),
  run: (_state, view, _pool, shapes, act) => gaugeFragmentation(view, shapes, act),
};
