/** States, GPU indices, passes and preemption of a job in Slurm's words. */
import { clockNear } from "../../../base/format.ts";
import type { Cluster } from "../../../model/cluster.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import type { ArrayFacts, PreemptableFacts, SlurmJobFacts } from "../../../model/slurm/jobFacts.ts";
import {
  SLURM_END_STATES,
  SLURM_RUN_STATES,
  slurmClock,
  slurmSpan,
} from "../../../model/slurm/words.ts";
import { END_STATES, MEMBER_STATES } from "../../../model/states.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { compressHostlist } from "../../../scenario/slurm/hostlist.ts";
import type { JobMoment, StoryRect } from "../../../timeline/jobStory.ts";

/** `PENDING`, `RUNNING`, `TIMEOUT`, …; empty before the job is submitted. */
export function stateWord(moment: JobMoment, holdings: readonly StoryRect[]): string {
  switch (moment.kind) {
    case "unsubmitted":
      return "";
    case "waiting":
    case "between":
      return "PENDING";
    case "running":
      return SLURM_RUN_STATES[MEMBER_STATES[holdings[0]?.memberState ?? 2] ?? "running"];
    case "done": {
      const state = END_STATES[moment.run?.endState ?? 0] ?? "completed";
      return SLURM_END_STATES[state];
    }
  }
}

/** "n1:0-7 n2:0,3": nodes with the indices of the GPUs held there. */
export function gpuIndices(cluster: Cluster, rects: readonly StoryRect[]): string {
  const held = new Map<number, Set<number>>();
  for (const rect of rects) {
    const node = nodeOfDevice(cluster, rect.device);
    const indices = held.get(node) ?? new Set();
    for (let at = 0; at < rect.deviceCount; at++)
      indices.add(rect.device + at - cluster.deviceBase[node]!);
    held.set(node, indices);
  }
  return [...held]
    .sort(([a], [b]) => a - b)
    .map(([node, indices]) => `${cluster.nodeNames[node]}:${rangesText([...indices])}`)
    .join(" ");
}

function rangesText(values: number[]): string {
  values.sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0; from < values.length; ) {
    let to = from;
    while (values[to + 1] === values[to]! + 1) to++;
    parts.push(to === from ? `${values[from]}` : `${values[from]}-${values[to]}`);
    from = to + 1;
  }
  return parts.join(",");
}

/** Node indexes as a host list. */
export function hostList(stage: Stage, nodes: readonly number[]): string {
  return compressHostlist(nodes.map((node) => stage.cluster.nodeNames[node] ?? ""));
}

/** "108_3, at most 2 at once". */
export function arrayText({ id, index, most }: ArrayFacts): string {
  return `${id}_${index}${Number.isFinite(most) ? `, at most ${most} at once` : ""}`;
}

/** "main at 12:00:30, backfill at 12:01:00". */
export function passesText(
  { nextMainMs, nextBackfillMs }: Pick<SlurmJobFacts, "nextMainMs" | "nextBackfillMs">,
  calendar: string | undefined,
): string {
  const parts = [
    Number.isFinite(nextMainMs) ? `main at ${slurmClock(nextMainMs, calendar)}` : "",
    Number.isFinite(nextBackfillMs) ? `backfill at ${slurmClock(nextBackfillMs, calendar)}` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "none until something changes" : parts.join(", ");
}

const MODES: Readonly<Record<PreemptableFacts["mode"], string>> = {
  off: "nothing happens",
  cancel: "it would be cancelled",
  requeue: "it would be requeued",
  suspend: "it would be suspended",
};

/** "jobs of QOS high, urgent; it would be requeued after a grace of 2:00". */
export function preemptText(facts: PreemptableFacts, atMs: number, calendar?: string): string {
  if (facts.by.length === 0 || facts.mode === "off") return "nobody";
  const who = `jobs of ${facts.of === "qos" ? "QOS" : "partition"} ${facts.by.join(", ")}`;
  const grace = facts.graceMs > 0 ? ` after a grace of ${slurmSpan(facts.graceMs)}` : "";
  const exempt =
    facts.exemptUntilMs > atMs ? `, from ${clockNear(facts.exemptUntilMs, atMs, calendar)} on` : "";
  return `${who}${exempt}; ${MODES[facts.mode]}${grace}`;
}
