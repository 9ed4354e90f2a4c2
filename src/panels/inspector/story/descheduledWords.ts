/**
 * Why a pod was evicted though nobody needed its place: what the descheduler saw of the node at that moment, as far as the record has it. Devices alone are counted; what the
 * policy says of CPUs, memory and pods stands in its YAML. O(rectangles of the record) where there was such an eviction.
 */
import { clockNear, countText, numberText } from "../../../base/format.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import { StopReasonCode } from "../../../model/reasons.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { DecisionKindCode } from "../../../record/shapes.ts";
import type { Future } from "../../../store/runData.ts";
import { holdingsAt, type JobStory } from "../../../timeline/jobStory.ts";

/** Of the last such eviction up to `atMs`; null where there was none. */
export function descheduledWords(
  { cluster }: Stage,
  source: Pick<Future, "chunks" | "open">,
  story: Pick<JobStory, "decisions" | "rects">,
  atMs: number,
  calendar: string | undefined,
): string | null {
  const told = story.decisions.findLast(
    (one) =>
      one.kind === DecisionKindCode.evict &&
      one.reason === StopReasonCode.descheduled &&
      one.atMs <= atMs,
  );
  if (told === undefined) return null;
  const nodes = new Set(
    holdingsAt(story, told.atMs).map(({ device }) => nodeOfDevice(cluster, device)),
  );
  const [node] = nodes;
  const clock = clockNear(told.atMs, atMs, calendar);
  const rule =
    "It evicts where a node is used too much (LowNodeUtilization) or so little that it could come free (HighNodeUtilization), and places nothing itself.";
  if (node === undefined || nodes.size > 1)
    return `The descheduler evicted it at ${clock}. ${rule}`;
  const [first, end] = [cluster.deviceBase[node]!, cluster.deviceBase[node + 1]!];
  const held = numberText(heldOn(source, first, end, told.atMs));
  const of = `${held} of ${countText(end - first, cluster.deviceWord)} held then`;
  return `The descheduler evicted it at ${clock} from ${cluster.nodeNames[node]}, with ${of}. ${rule}`;
}

/** Devices of a node on which anybody was. */
function heldOn(
  { chunks, open }: Pick<Future, "chunks" | "open">,
  first: number,
  end: number,
  atMs: number,
): number {
  const held = new Set<number>();
  for (const { rects } of [...chunks, ...(open ? [open] : [])])
    for (let row = 0; row < rects.device.length; row++) {
      const device = rects.device[row]!;
      if (device < first || device >= end) continue;
      if (rects.startMs[row]! > atMs || rects.endMs[row]! <= atMs) continue;
      for (let at = 0; at < rects.deviceCount[row]!; at++) held.add(device + at);
    }
  return held.size;
}
