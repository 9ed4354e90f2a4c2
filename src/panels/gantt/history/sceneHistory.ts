/** The history of nodes made ready for the Gantt: spans with a look of their own, failed devices by unit, and words for tooltip, note and ear. */
import { clockNear } from "../../../base/format.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import { NodeStateCode } from "../../../model/states.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Future } from "../../../store/runData.ts";
import {
  type DeviceStretch,
  type NodeHistory,
  type NodeStretch,
  type NodeStretchKind,
  nodeHistoryOf,
  poolOfNodeAt,
  stretchesOf,
} from "../../../timeline/nodeHistory.ts";
import { rowUnitsOf } from "../../../timeline/rowUnits.ts";
import { Drawn, type SceneHistory } from "../scene.ts";

/** Places in `NODE_LOOKS`. */
const DRAWN: Readonly<Record<NodeStretchKind, number>> = {
  absent: NodeStateCode.unborn,
  boots: Drawn.boots,
  leaves: NodeStateCode.drained,
  changesPool: Drawn.moves,
  drained: NodeStateCode.drained,
  down: NodeStateCode.down,
  silent: NodeStateCode.silent,
};

export interface HistoryContext {
  readonly stage: Stage;
  readonly calendar: string | undefined;
  /** The pool that each node began in, −1 = none. */
  readonly firstPool: (node: number) => number;
}

/** The scene's history, and what it was made of. */
export interface ToldHistory extends SceneHistory {
  readonly facts: NodeHistory;
}

/** O(stretches). */
export function sceneHistoryOf(future: Future, context: HistoryContext): ToldHistory {
  const { stage } = context;
  const { cluster } = stage;
  const facts = nodeHistoryOf(future.chunks, future.open, cluster.nodeCount);
  const { nodes } = facts;
  const { unitOfDevice } = rowUnitsOf(cluster);
  const failures = new Map<number, DeviceStretch[]>();
  for (const failure of facts.devices) {
    const unit = unitOfDevice[failure.device]!;
    const list = failures.get(unit);
    if (list) list.push(failure);
    else failures.set(unit, [failure]);
  }
  const moves = nodes.some(({ kind }) => kind === "changesPool");
  return {
    facts,
    failures,
    spans: {
      first: facts.firstOfNode,
      startMs: Float64Array.from(nodes, ({ fromMs }) => fromMs),
      endMs: Float64Array.from(nodes, ({ toMs }) => toMs),
      state: Uint8Array.from(nodes, ({ kind }) => DRAWN[kind]),
    },
    noteOf: (span) => noteOf(nodes[span]!, stage),
    poolName: (node, atMs) =>
      moves ? (stage.poolIds[poolOfNodeAt(facts, node, context.firstPool(node), atMs)] ?? "") : "",
    nodeWords: (node, atMs) => nodeWords(facts, context, node, atMs),
    endWords: (jobIdx, endMs) => (facts.gaveWayMs.get(jobIdx)?.includes(endMs) ? GAVE_WAY : ""),
  };
}

export const GAVE_WAY = "gave way at a round";

/** Beside the pattern of a stretch. */
function noteOf({ kind, pool }: NodeStretch, stage: Stage): string {
  switch (kind) {
    case "absent":
      return "not there";
    case "boots":
      return "boots";
    case "leaves":
      return "given back";
    case "changesPool":
      return `to ${stage.poolIds[pool]}`;
    case "drained":
      return "drained";
    case "down":
      return "node down";
    case "silent":
      return "failed unnoticed";
  }
}

/** What a stretch is, as one says it of a node: "boots", "on its way to pool serving". */
export function stretchWords({ kind, pool }: NodeStretch, stage: Stage): string {
  switch (kind) {
    case "absent":
      return "not there: rented when work waits for it";
    case "boots":
      return "rented, and boots";
    case "leaves":
      return "given back as soon as it is empty";
    case "changesPool":
      return `on its way to pool ${stage.poolIds[pool]}`;
    case "drained":
      return "drained: takes no new work";
    case "down":
      return "down";
    case "silent":
      return "failed, and nobody has noticed yet";
  }
}

/** "GPU 3 of n-2". */
export function deviceName({ cluster }: Stage, device: number): string {
  const node = nodeOfDevice(cluster, device);
  return `${cluster.deviceWord} ${device - cluster.deviceBase[node]!} of ${cluster.nodeNames[node]}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function nodeWords(
  facts: NodeHistory,
  { stage, calendar, firstPool }: HistoryContext,
  node: number,
  atMs: number,
): string[] {
  const { cluster, poolIds } = stage;
  const words: string[] = [];
  const pool = poolOfNodeAt(facts, node, firstPool(node), atMs);
  if (poolIds.length > 1 && pool >= 0) words.push(`Pool ${poolIds[pool]}`);
  const now = stretchesOf(facts, node).find((one) => one.fromMs <= atMs && atMs < one.toMs);
  if (now) {
    const until =
      now.kind === "boots" && now.toMs < Number.POSITIVE_INFINITY
        ? `, there at ${clockNear(now.toMs, atMs, calendar)}`
        : "";
    words.push(`${capital(stretchWords(now, stage))}${until}`);
  }
  const from = cluster.deviceBase[node]!;
  const to = cluster.deviceBase[node + 1]!;
  for (const { kind, device, fromMs, toMs } of facts.devices)
    if (device >= from && device < to && fromMs <= atMs && atMs < toMs)
      words.push(
        `${cluster.deviceWord} ${device - from} ${kind === "cut" ? "is cut anew since" : "failed at"} ${clockNear(fromMs, atMs, calendar)}`,
      );
  return words;
}
