/** The groups of the form of Slurm's settings, and which parameter stands in which: by what it is about, as the manual's readers look for it. */
import type { Parameter } from "./parameterKinds.ts";
import { PARAMETERS } from "./parameters.ts";

export const PARAMETER_GROUPS = [
  "Scheduling",
  "Backfill",
  "Preemption",
  "Priority and fair share",
  "Limits and time",
  "Placement",
] as const;
export type ParameterGroup = (typeof PARAMETER_GROUPS)[number];

const PLACEMENT = new Set([
  "SelectType",
  "SelectTypeParameters",
  "TopologyPlugin",
  "TopologyParam",
  "CompleteWait",
  "pack_serial_at_end",
  "max_switch_wait",
  "reduce_completing_frag",
  "ReturnToService",
  "SlurmdTimeout",
]);
const SCHEDULING = new Set(["SchedulerType", "MaxJobCount", "MaxArraySize"]);

/** The group of a parameter of the whole cluster. */
export function groupOf({ name, scope }: Parameter): ParameterGroup {
  if (PLACEMENT.has(name)) return "Placement";
  if (name.startsWith("bf_")) return "Backfill";
  if (/^preempt/i.test(name) || name === "SchedulerTimeSlice") return "Preemption";
  if (name.startsWith("Priority") || name === "FairShareDampeningFactor")
    return "Priority and fair share";
  return scope === "scheduler" || SCHEDULING.has(name) ? "Scheduling" : "Limits and time";
}

/** The parameters that a form offers: those that a run heeds. Options of SchedulerParameters stand there one by one. */
export function formParameters(scope: Parameter["scope"]): readonly Parameter[] {
  return PARAMETERS.filter(
    (each) =>
      each.scope === scope &&
      (each.standing === "modelled" || each.standing === "approximated") &&
      each.name !== "SchedulerParameters",
  );
}
