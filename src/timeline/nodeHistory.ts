/**
 * What happened to nodes and devices beside the jobs on them, and the rounds of time slices: stretches made from the record's node spans and
 * the decisions about nodes. A node that is not there is split where it was rented, since it boots from then on; a drained node may be on its way to another pool or
 * back to the cloud. A change of pool counts from the end of its stretch, unless the node failed on the way. O(node spans + decisions about nodes); what a chunk
 * says of them is gathered once.
 */
import { StopReasonCode } from "../model/reasons.ts";
import { NodeStateCode } from "../model/states.ts";
import { type Chunk, DecisionKindCode, type OpenSet } from "../record/shapes.ts";

/** `leaves`: drained until it is empty, then given back. `changesPool`: drained until it is empty, then made ready for `pool`. */
export type NodeStretchKind =
  | "absent"
  | "boots"
  | "leaves"
  | "changesPool"
  | "drained"
  | "down"
  | "silent";

export interface NodeStretch {
  readonly node: number;
  readonly kind: NodeStretchKind;
  readonly fromMs: number;
  /** `Infinity` while nobody knows. */
  readonly toMs: number;
  /** The pool that gets it, −1 = none. */
  readonly pool: number;
}

/** A device that nobody can have while its node goes on: it has failed, or is cut anew (MIG). */
export interface DeviceStretch {
  readonly kind: "failed" | "cut";
  readonly device: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Round {
  readonly atMs: number;
  readonly pool: number;
  readonly gaveWay: number;
}

export interface NodeHistory {
  /** By node, then in order of time. */
  readonly nodes: readonly NodeStretch[];
  /** Place in `nodes` of the first stretch of each node; one more entry ends the last. */
  readonly firstOfNode: Uint32Array;
  /** In order of begin. */
  readonly devices: readonly DeviceStretch[];
  /** Those in which somebody gave way. */
  readonly rounds: readonly Round[];
  /** When each job gave way at a round. */
  readonly gaveWayMs: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A decision about a node or device. */
interface Event {
  readonly kind: number;
  readonly of: number;
  readonly atMs: number;
  readonly value: number;
}

interface ChunkEvents {
  readonly nodes: readonly Event[];
  readonly devices: readonly Event[];
  readonly rounds: readonly Round[];
  readonly gaveWay: readonly { readonly jobIdx: number; readonly atMs: number }[];
}

const known = new WeakMap<Chunk, ChunkEvents>();

function eventsOf(chunk: Chunk): ChunkEvents {
  const before = known.get(chunk);
  if (before) return before;
  const { kind, jobIdx, atMs, value, reason } = chunk.decisions;
  const nodes: Event[] = [];
  const devices: Event[] = [];
  const rounds: Round[] = [];
  const gaveWay: { jobIdx: number; atMs: number }[] = [];
  let left = 0;
  for (let row = 0; row < kind.length; row++) {
    const event = { kind: kind[row]!, of: jobIdx[row]!, atMs: atMs[row]!, value: value[row]! };
    switch (event.kind) {
      case DecisionKindCode.openNode:
      case DecisionKindCode.closeNode:
      case DecisionKindCode.handNode:
        nodes.push(event);
        break;
      case DecisionKindCode.failDevice:
      case DecisionKindCode.resumeDevice:
      case DecisionKindCode.repartition:
        devices.push(event);
        break;
      case DecisionKindCode.round:
        rounds.push({ atMs: event.atMs, pool: event.of, gaveWay: event.value });
        left = event.value;
        break;
      case DecisionKindCode.evict:
        // The evictions of a round follow it.
        if (left === 0 || event.value >= 0 || reason[row] !== StopReasonCode.preempted) break;
        gaveWay.push({ jobIdx: event.of, atMs: event.atMs });
        left--;
        break;
    }
  }
  const events = { nodes, devices, rounds, gaveWay };
  known.set(chunk, events);
  return events;
}

/** The history up to what is known. */
export function nodeHistoryOf(
  chunks: readonly Chunk[],
  open: OpenSet | null,
  nodeCount: number,
): NodeHistory {
  const events = chunks.map(eventsOf);
  const ofNode = new Map<number, Event[]>();
  for (const event of events.flatMap(({ nodes }) => nodes)) push(ofNode, event.of, event);
  const spans = new Map<number, Span[]>();
  for (const table of [
    ...chunks.map(({ nodeSpans }) => nodeSpans),
    ...(open ? [open.nodeSpans] : []),
  ]) {
    for (let row = 0; row < table.node.length; row++)
      push(spans, table.node[row]!, {
        fromMs: table.startMs[row]!,
        toMs: table.endMs[row]!,
        state: table.state[row]!,
      });
  }
  const nodes: NodeStretch[] = [];
  const firstOfNode = new Uint32Array(nodeCount + 1);
  for (let node = 0; node < nodeCount; node++) {
    firstOfNode[node] = nodes.length;
    addNode(nodes, node, spans.get(node) ?? [], ofNode.get(node) ?? []);
  }
  firstOfNode[nodeCount] = nodes.length;
  const gaveWayMs = new Map<number, Set<number>>();
  for (const { jobIdx, atMs } of events.flatMap(({ gaveWay }) => gaveWay)) {
    const times = gaveWayMs.get(jobIdx);
    if (times) times.add(atMs);
    else gaveWayMs.set(jobIdx, new Set([atMs]));
  }
  return {
    nodes,
    firstOfNode,
    devices: deviceStretches(events.flatMap(({ devices }) => devices)),
    rounds: events.flatMap(({ rounds }) => rounds),
    gaveWayMs,
  };
}

function push<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly state: number;
}

/** Spans and events are in order of time. A change of pool of an idle node that takes no time has no span: a stretch without length, in its place. */
function addNode(
  out: NodeStretch[],
  node: number,
  spans: readonly Span[],
  events: readonly Event[],
): void {
  let next = 0;
  const passUntil = (untilMs: number): void => {
    for (; next < events.length && events[next]!.atMs < untilMs; next++) {
      const { kind, atMs, value } = events[next]!;
      if (kind === DecisionKindCode.handNode)
        out.push({ node, kind: "changesPool", fromMs: atMs, toMs: atMs, pool: value });
    }
  };
  for (const span of spans) {
    passUntil(span.fromMs);
    const from = next;
    while (next < events.length && events[next]!.atMs < span.toMs) next++;
    addSpan(out, node, span, events.slice(from, next));
  }
  passUntil(Number.POSITIVE_INFINITY);
}

function addSpan(
  out: NodeStretch[],
  node: number,
  { fromMs, toMs, state }: Span,
  within: readonly Event[],
): void {
  const add = (kind: NodeStretchKind, from: number, to: number, pool = -1): void => {
    if (to > from) out.push({ node, kind, fromMs: from, toMs: to, pool });
  };
  if (state === NodeStateCode.down) add("down", fromMs, toMs);
  else if (state === NodeStateCode.silent) add("silent", fromMs, toMs);
  else if (state === NodeStateCode.unborn) {
    let absentMs = fromMs;
    for (let i = 0; i < within.length; i++) {
      const { kind, atMs, value } = within[i]!;
      if (kind !== DecisionKindCode.openNode) continue;
      const calledOff = within.slice(i + 1).find((one) => one.kind === DecisionKindCode.closeNode);
      const untilMs = Math.min(toMs, atMs + value, calledOff?.atMs ?? Number.POSITIVE_INFINITY);
      add("absent", absentMs, atMs);
      add("boots", atMs, untilMs);
      absentMs = untilMs;
    }
    add("absent", absentMs, toMs);
  } else {
    const way = within.findLast(({ kind }) => kind !== DecisionKindCode.openNode);
    if (!way) add("drained", fromMs, toMs);
    else {
      add("drained", fromMs, way.atMs);
      const hands = way.kind === DecisionKindCode.handNode;
      add(hands ? "changesPool" : "leaves", way.atMs, toMs, hands ? way.value : -1);
    }
  }
}

function deviceStretches(events: readonly Event[]): DeviceStretch[] {
  const since = new Map<number, number>();
  const done: DeviceStretch[] = [];
  for (const { kind, of, atMs, value } of events) {
    if (kind === DecisionKindCode.failDevice) since.set(of, atMs);
    else if (kind === DecisionKindCode.repartition)
      done.push({ kind: "cut", device: of, fromMs: atMs, toMs: atMs + value });
    else {
      const fromMs = since.get(of);
      if (fromMs !== undefined) done.push({ kind: "failed", device: of, fromMs, toMs: atMs });
      since.delete(of);
    }
  }
  for (const [device, fromMs] of since)
    done.push({ kind: "failed", device, fromMs, toMs: Number.POSITIVE_INFINITY });
  return done.sort((a, b) => a.fromMs - b.fromMs || a.device - b.device);
}

/** The stretches of a node, in order of time. */
export function stretchesOf(history: NodeHistory, node: number): readonly NodeStretch[] {
  return history.nodes.slice(history.firstOfNode[node]!, history.firstOfNode[node + 1]!);
}

/** The pool of a node at a time, from the one that it began in. O(its stretches). */
export function poolOfNodeAt(
  history: NodeHistory,
  node: number,
  firstPool: number,
  atMs: number,
): number {
  let pool = firstPool;
  const own = stretchesOf(history, node);
  own.forEach((one, i) => {
    if (one.kind !== "changesPool" || one.toMs > atMs) return;
    const next = own[i + 1];
    const failed = next?.fromMs === one.toMs && (next.kind === "down" || next.kind === "silent");
    if (!failed) pool = one.pool;
  });
  return pool;
}
