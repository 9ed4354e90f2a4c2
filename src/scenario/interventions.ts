/** Edits at a time, as data: they are appended to the document, and the run before the first one that differs stays as it is. */
import { sameJson } from "../base/json.ts";
import type { Intervention, Scenario, ScenarioInput } from "./schema.ts";

export type InterventionInput = NonNullable<ScenarioInput["interventions"]>[number];

type Interventions = Scenario["interventions"];

const actingOf = new WeakMap<Interventions, Interventions>();

/** The changes that are done: without those that are switched off. The same list for the same list. O(interventions) once for a list. */
export function acting(list: Interventions): Interventions {
  const known = actingOf.get(list);
  if (known !== undefined) return known;
  const on = list.some((entry) => entry.off) ? list.filter((entry) => !entry.off) : list;
  actingOf.set(list, on);
  return on;
}

/** The scenario with one more intervention at the end. The result still has to pass `readScenario`. */
export function appendIntervention(scenario: Scenario, intervention: Intervention): Scenario {
  return { ...scenario, interventions: [...scenario.interventions, intervention] };
}

/** The scenario without the intervention at an index; unchanged where there is none. */
export function removeIntervention(scenario: Scenario, index: number): Scenario {
  return { ...scenario, interventions: scenario.interventions.filter((_, i) => i !== index) };
}

/** The scenario with another intervention in the place of one; unchanged where there is none. */
export function replaceIntervention(
  scenario: Scenario,
  index: number,
  intervention: Intervention,
): Scenario {
  return {
    ...scenario,
    interventions: scenario.interventions.map((entry, i) => (i === index ? intervention : entry)),
  };
}

/**
 * The earliest time (ms) at which two scenarios can differ, `Infinity` where they are the same run, `"base"` where anything but
 * interventions, horizon, title and question differs. A longer or shorter horizon matters from the shorter one on. The worker
 * goes back to the snapshot before this time. O(document).
 */
export function firstDifferenceMs(a: Scenario, b: Scenario): number | "base" {
  if (!sameJson(baseOf(a), baseOf(b))) return "base";
  const horizons = [
    a.horizonMs ?? Number.POSITIVE_INFINITY,
    b.horizonMs ?? Number.POSITIVE_INFINITY,
  ] as const;
  const horizonMs = horizons[0] === horizons[1] ? Number.POSITIVE_INFINITY : Math.min(...horizons);
  return Math.min(horizonMs, firstInterventionMs(acting(a.interventions), acting(b.interventions)));
}

function baseOf(scenario: Scenario): object {
  const { title, question, horizonMs, interventions, ...base } = scenario;
  const drawnUntil = base.workload.synthetic.some((entry) => entry.untilMs === undefined)
    ? (horizonMs ?? null)
    : null;
  return { ...base, drawnUntil };
}

/**
 * Interventions act in order of time, then of the document, so the two lists are compared in that order; notes do not act.
 * Injected jobs are numbered in document order: where that order changes, everything from the first injected job on differs.
 */
function firstInterventionMs(a: readonly Intervention[], b: readonly Intervention[]): number {
  const inOrderA = inTimeOrder(a);
  const inOrderB = inTimeOrder(b);
  const most = Math.max(inOrderA.length, inOrderB.length);
  let firstMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < most; i++) {
    const left = inOrderA[i];
    const right = inOrderB[i];
    if (left !== undefined && right !== undefined && sameAction(left, right)) continue;
    firstMs = Math.min(
      left?.atMs ?? Number.POSITIVE_INFINITY,
      right?.atMs ?? Number.POSITIVE_INFINITY,
    );
    break;
  }
  return Math.min(firstMs, firstRenumberedMs(a, b));
}

function inTimeOrder(list: readonly Intervention[]): Intervention[] {
  return list
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => a.entry.atMs - b.entry.atMs || a.index - b.index)
    .map(({ entry }) => entry);
}

function sameAction(a: Intervention, b: Intervention): boolean {
  return a === b || sameJson({ ...a, note: undefined }, { ...b, note: undefined });
}

/** Where an injected job has another number than before, everything from its time on is told about another number. */
function firstRenumberedMs(a: readonly Intervention[], b: readonly Intervention[]): number {
  const injectedA = a.filter((entry) => entry.kind === "inject");
  const injectedB = b.filter((entry) => entry.kind === "inject");
  const shorter = Math.min(injectedA.length, injectedB.length);
  let same = 0;
  while (same < shorter && sameAction(injectedA[same]!, injectedB[same]!)) same++;
  const differing = [...injectedA.slice(same), ...injectedB.slice(same)];
  return differing.reduce((least, entry) => Math.min(least, entry.atMs), Number.POSITIVE_INFINITY);
}
