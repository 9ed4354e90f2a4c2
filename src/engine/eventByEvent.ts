/**
 * Ends and arrivals of one instant one after the other, with a pass after each, for schedulers that are called so (`LifeRules.passPer`):
 * some published simulators do it, and it changes many starts. Ends go in the order in which the runs started, arrivals in
 * that of the document. Other pools, and everything else of the instant, have their pass after it as usual.
 *
 * With `releaseAtLimit` a run whose limit ends now is ended before the first pass, because that simulator's plan counts it as free by
 * then; its place in the order stays the place of its pass.
 */
import { EventClass } from "./eventQueue.ts";
import type { Run } from "./run.ts";
import type { EventOrder, LifeRules } from "./view.ts";

/** The order of the first pool that has one; undefined where no pool has. O(pools). */
export function eventOrderOf(rules: readonly LifeRules[]): EventOrder | undefined {
  return rules.find((rule) => rule.passPer !== undefined)?.passPer;
}

/** Applies the ends and arrivals of an instant. `apply` carries out one end, `pass` runs the passes that are due in the pools concerned. O(events). */
export function applyOneByOne(
  run: Run,
  order: EventOrder,
  atMs: number,
  applyEnd: (slot: number, version: number) => void,
  pass: () => void,
): void {
  const ends = takeEnds(run, atMs);
  if (order.releaseAtLimit) releaseAtLimit(run, ends, atMs, applyEnd);
  if (order.arrivalsFirst) takeArrivals(run, atMs, pass);
  endEach(run, ends, applyEnd, pass);
  if (!order.arrivalsFirst) takeArrivals(run, atMs, pass);
}

interface End {
  readonly slot: number;
  readonly version: number;
  /** Of a run that has been ended ahead of its turn: its pool; −1 = not yet. */
  ofPool: number;
}

/** Ends of this instant, in the order in which they were set, which is that of the starts. */
function takeEnds(run: Run, atMs: number): End[] {
  const ends: End[] = [];
  const { events } = run;
  while (events.nextMs === atMs && events.nextClass === EventClass.end) {
    ends.push({ slot: events.nextSubject, version: events.nextVersion, ofPool: -1 });
    events.pop();
  }
  return ends;
}

/** Ended already at its turn, whose pass it has all the same: a pass may start more than the one before (jobs judged by their run time). */
function releaseAtLimit(
  run: Run,
  ends: readonly End[],
  atMs: number,
  applyEnd: (slot: number, version: number) => void,
): void {
  const { live } = run;
  for (const end of ends) {
    const { slot, version } = end;
    if (live.at.version[slot] !== version) continue;
    if (live.limitEndMs[live.at.jobIdx[slot]!]! > atMs) continue;
    end.ofPool = run.world.poolOfJob[live.at.jobIdx[slot]!]!;
    applyEnd(slot, version);
  }
}

function endEach(
  run: Run,
  ends: readonly End[],
  applyEnd: (slot: number, version: number) => void,
  pass: () => void,
): void {
  for (const { slot, version, ofPool } of ends) {
    if (ofPool < 0) applyEnd(slot, version);
    else run.pools[ofPool]!.news.due = true;
    pass();
  }
}

function takeArrivals(run: Run, atMs: number, pass: () => void): void {
  while (run.arrivals.nextMs === atMs) {
    run.submitNext();
    pass();
  }
}
