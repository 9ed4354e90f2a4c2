/** Every kind that is read, in any preset of the family: what a preset does not use it leaves alone. A kind more is a line here. */
import { deschedulerPolicy } from "./deschedulerPolicy.ts";
import { disruptionBudget } from "./disruptionBudget.ts";
import { kaiQueue } from "./kaiObjects.ts";
import type { KindReader } from "./kindReader.ts";
import { clusterQueue } from "./kueueClusterQueue.ts";
import {
  cohort,
  localQueue,
  resourceFlavor,
  topology,
  workloadPriorityClass,
} from "./kueueObjects.ts";
import { priorityClass } from "./priorityClass.ts";
import { rayCluster } from "./rayObjects.ts";
import { schedulerConfiguration } from "./schedulerConfiguration.ts";
import { hyperNode, volcanoConfiguration, volcanoQueue } from "./volcanoObjects.ts";

export const KINDS: readonly KindReader[] = [
  schedulerConfiguration,
  priorityClass,
  disruptionBudget,
  deschedulerPolicy,
  clusterQueue,
  cohort,
  localQueue,
  resourceFlavor,
  topology,
  workloadPriorityClass,
  volcanoQueue,
  hyperNode,
  volcanoConfiguration,
  kaiQueue,
  rayCluster,
];
