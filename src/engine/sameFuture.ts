/**
 * Whether two runs of the same document but for its changes stand, at the same time, where everything to come is the same: then the rest of the one's record is the
 * rest of the other's. Compared is all of a snapshot that anything to come is read from. Slots, entries, versions and the order of unordered lists have no influence
 * on results and are not compared; what only counts the past (events, jobs done, runs that closed) is not either, and a future that reads it, a policy that takes a
 * pool over, is never the same. Whatever cannot be compared differs: the answer no costs time, a wrong yes would cost the result. O(what lives + changes).
 */
import { samePlain } from "../base/samePlain.ts";
import { JobFlag } from "../model/jobs.ts";
import type { Change, World } from "../model/world.ts";
import { CLASS_STEP, EventClass } from "./eventQueue.ts";
import type { Presets } from "./pool.ts";
import type { Snapshot } from "./snapshot.ts";

/** Columns of a living job that say where it stands in tables, and not how it stands. */
const LIVE_PLACES = new Set(["version", "waitingAt", "holdingAt", "first", "last"]);
const ENTRY_PLACES = new Set(["next", "prev", "nodeNext", "nodePrev"]);

/** Worlds whose documents differ in their changes at most, as far as the jobs that live or are to come go. O(jobs) where jobs were injected. */
export function sameButForChanges(a: World, b: World): boolean {
  const { jobs, poolOfJob, changes, ...rest } = a;
  const { jobs: otherJobs, poolOfJob: otherPools, changes: otherChanges, ...otherRest } = b;
  if (!samePlain(rest, otherRest)) return false;
  if (jobs === otherJobs) return true;
  const count = ownCount(a);
  if (count !== ownCount(b)) return false;
  const own = (world: World) =>
    world.jobs.dependencies.filter((edge) => edge.jobIdx < count || edge.onJobIdx < count);
  const edges = own(a);
  // A job of the document that waits for an injected one is another job without it.
  const isOwn = edges.every((edge) => edge.jobIdx < count && edge.onJobIdx < count);
  return isOwn && samePlain(edges, own(b));
}

/** Jobs that were not injected: they come first. */
function ownCount({ jobs }: World): number {
  let count = jobs.count;
  while (count > 0 && (jobs.at.flags[count - 1]! & JobFlag.injected) !== 0) count--;
  return count;
}

/** Of two worlds for which `sameButForChanges` holds. */
export function sameFuture(
  a: World,
  at: Snapshot,
  b: World,
  now: Snapshot,
  presets: Presets,
): boolean {
  return (
    at.atMs === now.atMs &&
    at.idlePasses === now.idlePasses &&
    sameToCome(a, at, b, now) &&
    sameLiving(at, now) &&
    samePlain(eventsOf(at), eventsOf(now)) &&
    samePlain(at.nodes, now.nodes) &&
    samePlain(at.repartitions, now.repartitions) &&
    samePlain(at.failedDevices, now.failedDevices) &&
    samePlain(at.application, now.application) &&
    samePlain(at.edges, now.edges) &&
    samePlain(at.tiers, now.tiers) &&
    samePlain(sortedGauges(at), sortedGauges(now)) &&
    samePools(at, now, presets)
  );
}

function sameToCome(a: World, at: Snapshot, b: World, now: Snapshot): boolean {
  if (at.arrivals.main !== now.arrivals.main) return false;
  if (a.jobs !== b.jobs && (anyInjected(a, at) || anyInjected(b, now))) return false;
  if (a.jobs === b.jobs && at.arrivals.injected !== now.arrivals.injected) return false;
  const rest = (world: World, from: number) => world.changes.slice(from).map(withoutSource);
  const ahead = rest(a, at.nextChange);
  if (ahead.some(({ kind }) => kind === "policy" || kind === "label")) return false;
  if (!samePlain(ahead, rest(b, now.nextChange))) return false;
  return samePlain(stillActing(a, at), stillActing(b, now));
}

/** Injected jobs that live or are to come. */
function anyInjected({ jobs }: World, { arrivals, live }: Snapshot): boolean {
  const isInjected = (jobIdx: number) =>
    jobIdx >= 0 && (jobs.at.flags[jobIdx]! & JobFlag.injected) !== 0;
  let all = 0;
  while (all < jobs.count && isInjected(jobs.count - 1 - all)) all++;
  return arrivals.injected < all || live.at.jobIdx.some(isInjected);
}

/** Changes so far that act on what is still to come: labels of nodes, and what was said of jobs that had not come. */
function stillActing({ changes, jobs }: World, { nextChange, arrivals, atMs }: Snapshot): object[] {
  const isToCome = (jobIdx: number) =>
    (jobs.at.flags[jobIdx]! & JobFlag.injected) !== 0
      ? jobs.at.submitMs[jobIdx]! > atMs
      : jobIdx >= arrivals.main;
  return changes
    .slice(0, nextChange)
    .filter((change) => change.kind === "label" || ("jobIdx" in change && isToCome(change.jobIdx)))
    .map(withoutSource);
}

function withoutSource({ source, ...change }: Change): Omit<Change, "source"> {
  return change;
}

function sameLiving(at: Snapshot, now: Snapshot): boolean {
  const left = slotsInOrder(at);
  const right = slotsInOrder(now);
  if (left.length !== right.length) return false;
  for (const name of Object.keys(at.live.at) as (keyof Snapshot["live"]["at"])[]) {
    if (LIVE_PLACES.has(name)) continue;
    const [a, b] = [at.live.at[name], now.live.at[name]];
    for (let i = 0; i < left.length; i++) if (!Object.is(a[left[i]!], b[right[i]!])) return false;
  }
  for (let i = 0; i < left.length; i++)
    if (!sameEntries(at, left[i]!, now, right[i]!)) return false;
  return at.live.lists.every((lists, pool) => {
    const other = now.live.lists[pool]!;
    return (
      samePlain(lists.waiting.slice().sort(), other.waiting.slice().sort()) &&
      samePlain(lists.holding.slice().sort(), other.holding.slice().sort())
    );
  });
}

/** Slots in use, in order of their jobs. */
function slotsInOrder({ live }: Snapshot): number[] {
  const { jobIdx } = live.at;
  const slots: number[] = [];
  for (let slot = 0; slot < jobIdx.length; slot++) if (jobIdx[slot]! >= 0) slots.push(slot);
  return slots.sort((a, b) => jobIdx[a]! - jobIdx[b]!);
}

/** What a job holds, in the order in which it was given. */
function sameEntries(at: Snapshot, slot: number, now: Snapshot, otherSlot: number): boolean {
  const a = at.holdings.at;
  const b = now.holdings.at;
  const names = (Object.keys(a) as (keyof typeof a)[]).filter((name) => !ENTRY_PLACES.has(name));
  let left = at.live.at.first[slot]!;
  let right = now.live.at.first[otherSlot]!;
  while (left >= 0 && right >= 0) {
    for (const name of names) if (!Object.is(a[name][left], b[name][right])) return false;
    left = a.next[left]!;
    right = b.next[right]!;
  }
  return left < 0 && right < 0;
}

/** Events ahead in their order, without those that are void; ends by their jobs. */
function eventsOf({ events, live, pools }: Snapshot): readonly number[] {
  const { timeMs, order, subject, version } = events.heap;
  const rows = Array.from(timeMs, (_, row) => row);
  rows.sort((a, b) => timeMs[a]! - timeMs[b]! || order[a]! - order[b]!);
  return rows.flatMap((row) => {
    const eventClass = Math.floor(order[row]! / CLASS_STEP);
    const of = subject[row]!;
    if (eventClass === EventClass.end) {
      const alive = live.at.jobIdx[of]! >= 0 && live.at.version[of] === version[row];
      return alive ? [timeMs[row]!, eventClass, live.at.jobIdx[of]!, 0] : [];
    }
    if (eventClass === EventClass.wake)
      return pools[of]!.wakeVersion === version[row] ? [timeMs[row]!, eventClass, of, 0] : [];
    return [timeMs[row]!, eventClass, of, version[row]!];
  });
}

function sortedGauges({ gauges }: Snapshot): readonly (readonly [number, number])[] {
  return [...gauges].sort(([a], [b]) => a - b);
}

function samePools(at: Snapshot, now: Snapshot, presets: Presets): boolean {
  return at.pools.every(({ state, wakeVersion, ...pool }, index) => {
    const { state: other, wakeVersion: _, ...otherPool } = now.pools[index]!;
    if (!samePlain(pool, otherPool)) return false;
    return presets(pool.settings.preset).same?.(state, other) ?? false;
  });
}
