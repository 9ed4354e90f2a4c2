/** What is done before and after the queue is gone through, in this order. */

import type { StepPart } from "../parts.ts";
import { resumeSuspended } from "../preemption/preemptionResume.ts";
import { burstStep } from "./burstStep.ts";
import { defragmentStep } from "./defragmentStep.ts";
import { elasticStep } from "./elasticStep.ts";
import { fleetStep } from "./fleetStep.ts";
import { fragmentationStep } from "./fragmentationStep.ts";
import { roundStep } from "./roundStep.ts";
import { serviceStep } from "./serviceStep.ts";

export const STEPS: readonly StepPart<unknown>[] = [
  resumeSuspended,
  defragmentStep,
  roundStep,
  serviceStep,
  fleetStep,
  burstStep,
  elasticStep,
  fragmentationStep,
];
