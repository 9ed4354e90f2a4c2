/** The history of nodes made ready for the Gantt: spans with a look of their own, failed devices by unit, and words for tooltip, note and ear. */
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
} from "../../../timeline/nodeHistory.ts";
import { type HistoryContext, nodeWords } from "../../../timeline/nodeWords.ts";
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
    endWords: (jobIdx, endMs) => (facts.gaveWayMs.get(jobIdx)?.has(endMs) ? GAVE_WAY : ""),
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
