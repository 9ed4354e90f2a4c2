/** What few runs have and the page then shows: found out as the record grows, told to React only when it turns. */

import { useSyncExternalStore } from "react";
import { GaugeCode } from "../model/lab/gauges.ts";
import { MemberStateCode } from "../model/states.ts";
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";
import { acting } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { Occurs, occursIn } from "../timeline/occurs.ts";
import { runData } from "./runData.ts";
import { useApp } from "./store.ts";

const telling = new WeakMap<Chunk, boolean>();

/** Promises that are kept are what one expects: for them alone no lane opens. */
function tellsSomething(chunk: Chunk): boolean {
  let tells = telling.get(chunk);
  if (tells === undefined) {
    tells = chunk.gauges.kind.some((kind) => kind !== GaugeCode.promisesKept);
    telling.set(chunk, tells);
  }
  return tells;
}

/** Whether the run that is shown has recorded gauges worth a lane. O(chunks), and most often O(1). */
function hasGauges(): boolean {
  return runData.get().current.chunks.some(tellsSomething);
}

const subscribe = (changed: () => void) => runData.subscribe(changed);

export function useHasGauges(): boolean {
  return useSyncExternalStore(subscribe, hasGauges);
}

const promising = new WeakMap<Chunk, boolean>();

function promises(chunk: Chunk): boolean {
  let some = promising.get(chunk);
  if (some === undefined) {
    some = chunk.decisions.kind.includes(DecisionKindCode.plan);
    promising.set(chunk, some);
  }
  return some;
}

/** Whether the scheduler has promised a start anywhere in the run that is shown. */
export function useHasPromises(): boolean {
  return useSyncExternalStore(subscribe, () => runData.get().current.chunks.some(promises));
}

/** What occurs in the run that is shown: bits of `Occurs`, and 1 << code of each member state. */
export function useOccurs(): number {
  return useSyncExternalStore(subscribe, () => {
    const { chunks, open } = runData.get().current;
    return occursIn(chunks, open);
  });
}

/** Member states and parts of devices that only jobs with a life of their own have. */
const LIVES =
  (1 << MemberStateCode.checkpointing) |
  (1 << MemberStateCode.restoring) |
  (1 << MemberStateCode.starting) |
  (1 << MemberStateCode.stalled) |
  Occurs.part;

/** Whether jobs of the run have more to tell than where they wait and run. */
export function useLabRun(): boolean {
  const gauges = useHasGauges();
  const occurs = useOccurs();
  const told = useApp((state) => (state.scenario ? tellsOfJobs(state.scenario) : false));
  return gauges || told || (occurs & LIVES) !== 0;
}

const scenariosThatTell = new WeakMap<Scenario, boolean>();

/** Whether the document says of jobs (those put in later too), or of who may use how much, what their cards repeat. O(jobs) once for a scenario. */
function tellsOfJobs(scenario: Scenario): boolean {
  const known = scenariosThatTell.get(scenario);
  if (known !== undefined) return known;
  const tells =
    scenario.teams.length > 1 ||
    scenario.services.length > 0 ||
    [
      ...scenario.workload.jobs,
      ...acting(scenario.interventions).flatMap((change) =>
        change.kind === "inject" ? [change.job] : [],
      ),
    ].some(
      ({ checkpoint, elastic, session, deadlineInMs, bid }) =>
        checkpoint !== undefined ||
        elastic !== undefined ||
        session !== undefined ||
        deadlineInMs !== undefined ||
        (bid ?? 0) > 0,
    );
  scenariosThatTell.set(scenario, tells);
  return tells;
}
