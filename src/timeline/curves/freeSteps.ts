/**
 * Free devices over time, and those of them on nodes that are used in part: what is free in pieces. A device counts as used while anything of it is held, while
 * it has failed, and while its node is out of service, as on the map. From the record alone, so every run has it: each begin and end of a piece of work moves
 * the counts of its node. Changes of one instant are taken in any order, as the last value of an instant counts. O(rows + devices), in slices.
 */
import { NodeStateCode } from "../../model/states.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { nodeHistoryOf } from "../nodeHistory.ts";
import { ChangeList } from "./changeList.ts";
import { type Steps, stepsOf } from "./steps.ts";

export interface FreeWorld {
  readonly nodeCount: number;
  readonly deviceCount: number;
  /** First device of each node; one more entry ends the last. */
  readonly deviceBase: ArrayLike<number>;
}

export interface FreeRecord {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

const SLICE = 8_192;
/** A change of `count` devices from `device` on is written as device × this + count. */
const COUNTS = 65_536;

export function* freeSteps(
  world: FreeWorld,
  { chunks, open }: FreeRecord,
): Generator<void, { readonly free: Steps; readonly inPieces: Steps }> {
  const changes = new ChangeList();
  const use = (device: number, count: number, fromMs: number, toMs: number) => {
    if (toMs <= fromMs || count === 0) return;
    changes.add(fromMs, device * COUNTS + count);
    // What is still so at the end of the record has no end.
    if (Number.isFinite(toMs)) changes.add(toMs, -(device * COUNTS + count));
  };
  for (const part of [...chunks, ...(open ? [open] : [])]) {
    const { device, deviceCount, startMs, endMs } = part.rects;
    const ends = part === open ? null : endMs;
    for (let row = 0; row < device.length; row++) {
      use(device[row]!, deviceCount[row]!, startMs[row]!, ends?.[row] ?? Number.POSITIVE_INFINITY);
      if (row % SLICE === SLICE - 1) yield;
    }
    const { nodeSpans } = part;
    for (let row = 0; row < nodeSpans.node.length; row++) {
      if (nodeSpans.state[row] === NodeStateCode.open) continue;
      const first = world.deviceBase[nodeSpans.node[row]!]!;
      const count = world.deviceBase[nodeSpans.node[row]! + 1]! - first;
      use(first, count, nodeSpans.startMs[row]!, nodeSpans.endMs[row]!);
    }
    yield;
  }
  for (const { kind, device, fromMs, toMs } of nodeHistoryOf(chunks, open, world.nodeCount).devices)
    if (kind === "failed") use(device, 1, fromMs, toMs);
  yield;
  return yield* counted(world, changes);
}

function* counted(world: FreeWorld, changes: ChangeList) {
  const { deviceCount, nodeCount, deviceBase } = world;
  const nodeOf = new Int32Array(deviceCount);
  const left = new Int32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    left[node] = deviceBase[node + 1]! - deviceBase[node]!;
    nodeOf.fill(node, deviceBase[node]!, deviceBase[node + 1]!);
  }
  const users = new Uint16Array(deviceCount);
  const whole = left.slice();
  const times: number[] = [0];
  const freeAt: number[] = [deviceCount];
  const piecesAt: number[] = [0];
  let free = deviceCount;
  let pieces = 0;
  const inPieces = (node: number) => (left[node]! < whole[node]! ? left[node]! : 0);
  yield* changes.inOrder((atMs, by) => {
    const code = Math.abs(by);
    const first = Math.floor(code / COUNTS);
    for (let device = first; device < first + (code % COUNTS); device++) {
      const more = by > 0;
      // Used before and after: nothing changes for the node.
      const before = users[device]!;
      users[device] = before + (more ? 1 : -1);
      if (before + users[device]! !== 1) continue;
      const node = nodeOf[device]!;
      pieces -= inPieces(node);
      left[node]! += more ? -1 : 1;
      free += more ? -1 : 1;
      pieces += inPieces(node);
    }
    if (times.at(-1) !== atMs) {
      times.push(atMs);
      freeAt.push(free);
      piecesAt.push(pieces);
    } else {
      freeAt[times.length - 1] = free;
      piecesAt[times.length - 1] = pieces;
    }
  });
  return { free: stepsOf(times, freeAt), inPieces: stepsOf(times, piecesAt) };
}
