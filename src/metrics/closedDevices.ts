/**
 * Devices that nobody can have: idle ones of nodes that are drained or down, failed ones and those that are cut anew; and those of rented nodes that are away. Steps of
 * both over time, from the record. A share of a device on a closed node counts as the whole device.
 *
 * O(rows + spans · log spans); rectangles are looked at only where some node was ever closed.
 */
import { upperBound } from "../base/bisect.ts";
import type { Cluster } from "../model/cluster.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";

/** From `atMs` on there are so many more of each. */
export interface ClosedChange {
  readonly atMs: number;
  closed: number;
  away: number;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

type ClosedRecord = Pick<Chunk, "rects" | "nodeSpans" | "decisions">;

/** Changes in order of time, one at most an instant. Yields after each chunk. */
export function* closedChanges(
  cluster: Pick<Cluster, "deviceCount" | "deviceBase">,
  chunks: readonly ClosedRecord[],
  open: Pick<OpenSet, "rects" | "nodeSpans"> | null,
): Generator<void, ClosedChange[]> {
  const changes = new Changes();
  const spans = new Map<number, Span[]>();
  const records = open === null ? chunks : [...chunks, open];
  const sizeOf = (node: number) =>
    (cluster.deviceBase[node + 1] ?? cluster.deviceCount) - cluster.deviceBase[node]!;
  for (const { nodeSpans } of records) {
    const { node, startMs, endMs, state } = nodeSpans;
    for (let row = 0; row < node.length; row++) {
      if (state[row] === NodeStateCode.open) continue;
      const span = { startMs: startMs[row]!, endMs: endMs[row]! };
      const of = state[row] === NodeStateCode.unborn ? "away" : "closed";
      changes.add(of, span, sizeOf(node[row]!));
      if (of === "closed") spans.set(node[row]!, [...(spans.get(node[row]!) ?? []), span]);
    }
  }
  yield;
  const spansOf = (device: number) =>
    spans.get(upperBound(cluster.deviceBase, device, 0, cluster.deviceBase.length) - 1) ?? [];
  if (spans.size > 0) yield* heldOnClosed(records, spansOf, changes);
  yield* failedDevices(chunks, spansOf, changes);
  return changes.inOrder();
}

/** A node that drains lets its jobs end: what they hold is not idle. */
function* heldOnClosed(
  records: readonly Pick<ClosedRecord, "rects">[],
  spansOf: (device: number) => readonly Span[],
  changes: Changes,
): Generator<void> {
  for (const { rects } of records) {
    for (let row = 0; row < rects.device.length; row++) {
      for (const span of spansOf(rects.device[row]!)) {
        const startMs = Math.max(span.startMs, rects.startMs[row]!);
        const endMs = Math.min(span.endMs, rects.endMs[row]!);
        changes.add("closed", { startMs, endMs }, -rects.deviceCount[row]!);
      }
    }
    yield;
  }
}

/** While its node is closed, a failed device is counted with it. */
function* failedDevices(
  chunks: readonly Pick<ClosedRecord, "decisions">[],
  spansOf: (device: number) => readonly Span[],
  changes: Changes,
): Generator<void> {
  const since = new Map<number, number>();
  const close = (device: number, endMs: number): void => {
    let startMs = since.get(device)!;
    for (const span of spansOf(device)) {
      if (span.endMs <= startMs || span.startMs >= endMs) continue;
      changes.add("closed", { startMs, endMs: span.startMs }, 1);
      startMs = span.endMs;
    }
    changes.add("closed", { startMs, endMs }, 1);
    since.delete(device);
  };
  for (const { decisions } of chunks) {
    const { kind, atMs, jobIdx } = decisions;
    for (let row = 0; row < kind.length; row++) {
      const device = jobIdx[row]!;
      if (kind[row] === DecisionKindCode.failDevice) {
        if (!since.has(device)) since.set(device, atMs[row]!);
      } else if (kind[row] === DecisionKindCode.repartition) {
        const startMs = atMs[row]!;
        changes.add("closed", { startMs, endMs: startMs + decisions.value[row]! }, 1);
      } else if (kind[row] === DecisionKindCode.resumeDevice && since.has(device))
        close(device, atMs[row]!);
    }
    yield;
  }
  for (const device of [...since.keys()]) close(device, Number.POSITIVE_INFINITY);
}

class Changes {
  readonly #byTime = new Map<number, ClosedChange>();

  add(of: "closed" | "away", { startMs, endMs }: Span, devices: number): void {
    if (!(endMs > startMs)) return;
    this.#at(startMs)[of] += devices;
    if (Number.isFinite(endMs)) this.#at(endMs)[of] -= devices;
  }

  #at(atMs: number): ClosedChange {
    let change = this.#byTime.get(atMs);
    if (!change) {
      change = { atMs, closed: 0, away: 0 };
      this.#byTime.set(atMs, change);
    }
    return change;
  }

  inOrder(): ClosedChange[] {
    return [...this.#byTime.values()].sort((a, b) => a.atMs - b.atMs);
  }
}
