/**
 * Who is tried next. A pod that has not been tried stands in the active queue, by priority, then by time. One that failed joins a crowd: all failed pods of one
 * priority and shape, which are tried one after the other once something has happened that might help and the back-off (1 s, doubling to 10 s) is over. Where the first
 * of a crowd finds nothing the others find nothing either: their cycles are charged at once, and a more important pod that comes meanwhile interrupts at the end of a
 * cycle. Those that failed as often back off together; from the longest back-off on all do. O(log entries) a first attempt, O(crowds) a choice. Source: kubernetes/kubernetes `pkg/scheduler/backend/queue`.
 */
import { touchNode } from "./search.ts";
import { Kind, type PodShapes } from "./shapes.ts";
import type { Crowd, Entry, PlacementState } from "./state.ts";

/** A component asks for pods from `atUs` on: as soon as the scheduler sees it. */
export function enqueue(
  state: PlacementState,
  entry: Omit<Entry, "serial" | "crowd" | "nominated" | "seen" | "charged">,
  atUs: number,
): void {
  const serial = state.serials++;
  state.pods.changes++;
  state.entries.set(entry.row, {
    ...entry,
    serial,
    crowd: 0,
    nominated: [],
    seen: false,
    charged: 0,
  });
  state.coming.push({ row: entry.row, serial, atUs });
}

/** Takes an entry out of everything. O(nominations). */
export function dequeue(state: PlacementState, row: number): void {
  const entry = state.entries.get(row);
  if (entry === undefined) return;
  leaveCrowd(state, entry);
  state.pods.changes++;
  state.entries.delete(row);
  if (entry.nominated.length === 0) return;
  for (const node of entry.nominated) touchNode(state.known, node, true);
  state.freed |= ALL_KINDS;
  state.nominations = state.nominations.filter((nomination) => nomination.row !== row);
}

function leaveCrowd(state: PlacementState, entry: Entry): void {
  const crowd = state.crowds.get(entry.crowd);
  entry.crowd = 0;
  if (crowd === undefined) return;
  crowd.pods -= entry.left;
  if (crowd.pods <= 0 && state.burn?.crowd !== crowd.id) dropCrowd(state, crowd);
}

function dropCrowd(state: PlacementState, crowd: Crowd): void {
  state.crowds.delete(crowd.id);
  if (state.crowdOfKey.get(crowd.key) === crowd.id) state.crowdOfKey.delete(crowd.key);
}

/** One pod of the entry has found a node. */
export function onePlaced(state: PlacementState, entry: Entry): void {
  const crowd = state.crowds.get(entry.crowd);
  if (crowd !== undefined) crowd.pods--;
  entry.left--;
  if (entry.left === 0) dequeue(state, entry.row);
}

/** Entries that the scheduler sees by now enter the active queue. O(log n) each. */
export function reveal(state: PlacementState, nowUs: number): void {
  const { coming } = state;
  while (state.comingFirst < coming.length && coming[state.comingFirst]!.atUs <= nowUs) {
    const { row, serial } = coming[state.comingFirst++]!;
    const entry = state.entries.get(row);
    if (entry?.serial !== serial) continue;
    entry.seen = true;
    state.active.push(-entry.priority, state.orders++, row, serial);
  }
  if (state.comingFirst > 1_024 && state.comingFirst * 2 > coming.length) {
    state.coming = coming.slice(state.comingFirst);
    state.comingFirst = 0;
  }
}

/** The first of the active queue that is still there and has not failed; null if none. */
function firstActive(state: PlacementState): Entry | null {
  const { active } = state;
  while (active.size > 0) {
    const entry = state.entries.get(active.subject[0]!);
    if (entry !== undefined && entry.serial === active.version[0] && entry.crowd === 0)
      return entry;
    active.pop();
  }
  return null;
}

/** The first entry of a crowd; null where none is left. */
export function firstOf(state: PlacementState, crowd: Crowd): Entry | null {
  for (; crowd.first < crowd.rows.length; crowd.first++) {
    const entry = state.entries.get(crowd.rows[crowd.first]!);
    if (entry?.crowd === crowd.id) return entry;
  }
  return null;
}

export interface Next {
  readonly entry: Entry;
  readonly crowd: Crowd | null;
}

/** Who is tried now; null where nobody may be. O(crowds). */
export function nextUp(state: PlacementState, nowUs: number): Next | null {
  const entry = firstActive(state);
  let best: Crowd | null = null;
  for (const crowd of state.crowds.values()) {
    if (!crowd.woken || crowd.fromUs > nowUs) continue;
    if (best === null || isBefore(crowd, best)) best = crowd;
  }
  if (best !== null && (entry === null || crowdFirst(best, entry, state.active.order[0]!))) {
    const first = firstOf(state, best);
    if (first !== null) return { entry: first, crowd: best };
    dropCrowd(state, best);
    return nextUp(state, nowUs);
  }
  return entry === null ? null : { entry, crowd: null };
}

function isBefore(one: Crowd, other: Crowd): boolean {
  if (one.priority !== other.priority) return one.priority > other.priority;
  return one.order < other.order;
}

function crowdFirst(crowd: Crowd, entry: Entry, order: number): boolean {
  if (crowd.priority !== entry.priority) return crowd.priority > entry.priority;
  return crowd.order < order;
}

/** Priority of the most important one that may be tried now; −∞ where nobody may be. */
export function topPriority(state: PlacementState, nowUs: number): number {
  return nextUp(state, nowUs)?.entry.priority ?? Number.NEGATIVE_INFINITY;
}

/** When somebody may be tried who may not be now; `Infinity` without news. O(crowds). */
export function nextMayUs(state: PlacementState, nowUs: number): number {
  let first = state.coming[state.comingFirst]?.atUs ?? Number.POSITIVE_INFINITY;
  for (const crowd of state.crowds.values())
    if (crowd.woken && crowd.fromUs > nowUs) first = Math.min(first, crowd.fromUs);
  return first;
}

/**
 * Moves an entry that has failed into the crowd of those that failed as often at about the time `atUs`. One that waits for victims is a crowd of its own.
 */
export function joinCrowd(
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  atUs: number,
): Crowd {
  state.pods.changes++;
  const failures = (state.crowds.get(entry.crowd)?.level ?? 0) + 1;
  leaveCrowd(state, entry);
  const level = Math.min(state.config.backoffLevels, failures);
  const { priority, never } = entry;
  const of = { base: baseOf(shapes, entry), priority, shapeIdx: shapes.ofRow[entry.row]!, never };
  const crowd = crowdFor(state, of, level, atUs);
  if (crowd.first > 64 && crowd.first * 2 > crowd.rows.length) {
    crowd.rows = crowd.rows.slice(crowd.first);
    crowd.first = 0;
  }
  addTo(crowd, entry);
  return crowd;
}

function addTo(crowd: Crowd, entry: Entry): void {
  crowd.rows.push(entry.row);
  crowd.pods += entry.left;
  entry.crowd = crowd.id;
}

function baseOf(shapes: PodShapes, entry: Entry): string {
  const { pin } = entry;
  const alone =
    entry.nominated.length > 0 || shapes.apart[entry.row] === 1 || (pin?.domains?.length ?? 0) > 1;
  const who = `${entry.priority}|${shapes.ofRow[entry.row]}|${entry.never ? 1 : 0}`;
  return `${who}|${pin === null ? "" : pin.key}|${alone ? entry.row : ""}`;
}

/** Back-offs that end within this part of their length of each other count as one. */
const PARTS = 8;

/** Key of those that have failed so often and back off from `atUs` on, and when they may be tried again. */
function restOf(
  { backoffUs, backoffMostUs }: PlacementState["config"],
  base: string,
  level: number,
  atUs: number,
): { readonly key: string; readonly fromUs: number } {
  const lengthUs = Math.min(backoffMostUs, backoffUs * 2 ** (level - 1));
  const fromUs = atUs + lengthUs;
  return { key: `${base}|${level}|${Math.floor((fromUs * PARTS) / lengthUs)}`, fromUs };
}

/** The crowd of those that have failed so often and back off from `atUs` on, made where there is none. */
function crowdFor(
  state: PlacementState,
  of: Pick<Crowd, "base" | "priority" | "shapeIdx" | "never">,
  level: number,
  atUs: number,
): Crowd {
  const { key, fromUs } = restOf(state.config, of.base, level, atUs);
  let crowd = state.crowds.get(state.crowdOfKey.get(key) ?? 0);
  if (crowd === undefined) {
    const order = state.orders++;
    const id = order + 1;
    const start = { rows: [], first: 0, pods: 0, woken: false, toBurn: 0 };
    crowd = { id, key, ...of, ...start, level, fromUs, order };
    state.crowds.set(id, crowd);
    state.crowdOfKey.set(key, id);
  }
  return crowd;
}

/**
 * A crowd has failed as a whole, once more: it backs off from `atUs` on, together with those that do already. `woken`: something has happened in the meantime that
 * might help. O(1), O(its entries) where it joins others.
 */
export function backOff(state: PlacementState, crowd: Crowd, atUs: number, woken: boolean): void {
  const level = Math.min(state.config.backoffLevels, crowd.level + 1);
  const { key, fromUs } = restOf(state.config, crowd.base, level, atUs);
  const others = state.crowds.get(state.crowdOfKey.get(key) ?? 0);
  crowd.toBurn = 0;
  if (others === undefined || others === crowd) {
    state.crowdOfKey.delete(crowd.key);
    crowd.key = key;
    crowd.level = level;
    crowd.fromUs = fromUs;
    crowd.order = state.orders++;
    crowd.woken = woken;
    state.crowdOfKey.set(key, crowd.id);
    return;
  }
  moveAll(state, crowd, others);
  dropCrowd(state, crowd);
  if (woken) others.woken = true;
}

function moveAll(state: PlacementState, from: Crowd, into: Crowd): void {
  for (let at = from.first; at < from.rows.length; at++) {
    const entry = state.entries.get(from.rows[at]!);
    if (entry?.crowd === from.id) addTo(into, entry);
  }
}

/**
 * Something that asked for these kinds of resources has left a node (or a node has changed: all kinds). Crowds that differ in nothing but when they failed, and whose
 * back-off is over, are one from now on. O(crowds).
 */
export function wake(state: PlacementState, shapes: PodShapes, left: number, nowUs: number): void {
  // The last part of a device leaves a whole one, and a whole one may be parted.
  const kinds = (left & DEVICE_KINDS) === 0 ? left : left | DEVICE_KINDS;
  const ready = new Map<string, Crowd>();
  const { burn } = state;
  const burning =
    burn === null ? undefined : (state.crowds.get(burn.crowd)?.shapeIdx ?? shapes.ofRow[burn.row]);
  if (burn !== null && burning !== undefined && helps(shapes, burning, kinds)) burn.woken = true;
  for (const crowd of state.crowds.values()) {
    if (!helps(shapes, crowd.shapeIdx, kinds)) continue;
    crowd.woken = true;
    if (crowd.fromUs > nowUs || crowd.toBurn > 0 || state.burn?.crowd === crowd.id) continue;
    const key = `${crowd.base}|${crowd.level}`;
    const first = ready.get(key);
    if (first === undefined) ready.set(key, crowd);
    else {
      moveAll(state, crowd, first);
      dropCrowd(state, crowd);
    }
  }
}

/** Whether room of these kinds may help a pod of the shape. */
function helps(shapes: PodShapes, shapeIdx: number, kinds: number): boolean {
  const asks = shapes.list[shapeIdx]!.kinds;
  return asks === 0 || (asks & kinds) !== 0;
}

const DEVICE_KINDS = Kind.gpu | Kind.share | Kind.slice;
export const ALL_KINDS = Kind.cpu | Kind.memory | Kind.gpu | Kind.share | Kind.slice;
