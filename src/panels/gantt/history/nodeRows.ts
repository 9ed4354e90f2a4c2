/** The history of a run as rows of a table: stretches of nodes, failed devices and rounds that touch a window, up to what is known. */
import { countText } from "../../../base/format.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import type { Future } from "../../../store/runData.ts";
import { nodeHistoryOf } from "../../../timeline/nodeHistory.ts";
import { deviceName, type HistoryContext, stretchWords } from "../../../timeline/nodeWords.ts";
import type { TimeWindow } from "../../../timeline/viewport.ts";

export interface HistoryRow {
  readonly key: number;
  /** "n-2", "GPU 3 of n-2", "pool batch". */
  readonly what: string;
  readonly words: string;
  readonly fromMs: number;
  /** `Infinity` while nobody knows; a round takes no time. */
  readonly toMs: number;
  readonly node: number;
}

/** In order of begin, then of place. O(stretches). */
export function historyRows(
  future: Future,
  context: HistoryContext,
  window: TimeWindow,
): HistoryRow[] {
  const { stage } = context;
  const { chunks, open } = future;
  const { nodes, devices, rounds } = nodeHistoryOf(chunks, open, stage.cluster.nodeCount);
  const all: Omit<HistoryRow, "key">[] = [
    ...nodes.map((one) => ({
      ...one,
      what: stage.cluster.nodeNames[one.node] ?? "",
      words: stretchWords(one, stage),
    })),
    ...devices.map(({ kind, device, fromMs, toMs }) => ({
      what: deviceName(stage, device),
      words: kind === "cut" ? "cut anew for MIG slices" : "failed; its node goes on",
      fromMs,
      toMs,
      node: nodeOfDevice(stage.cluster, device),
    })),
    ...rounds.map(({ atMs, pool, gaveWay }) => ({
      what: `pool ${stage.poolIds[pool] ?? ""}`,
      words: `round: ${countText(gaveWay, "job")} gave way`,
      fromMs: atMs,
      toMs: atMs,
      node: -1,
    })),
  ];
  return all
    .filter(({ fromMs, toMs }) => fromMs < window.toMs && toMs >= window.fromMs)
    .sort((a, b) => a.fromMs - b.fromMs || a.node - b.node)
    .map((row, key) => ({ ...row, key }));
}
