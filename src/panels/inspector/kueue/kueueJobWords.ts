/** A workload of Kueue in lines, layer by layer: what admission says, what placement says, and its evictions. Pure; the numbers are those of `KueueJobFacts`. */
import { clockNear, countText } from "../../../base/format.ts";
import type { KueueJobFacts, WorkloadStage } from "../../../model/kubernetes/queueFacts.ts";

export interface WordContext {
  readonly atMs: number;
  readonly calendar: string | undefined;
}

const ADMISSION: Readonly<Record<WorkloadStage, string>> = {
  arriving: "its Workload is being created",
  waiting: "waits for quota",
  reserved: "quota reserved; its pods are being made",
  admitted: "admitted",
  unplaceable: "admitted",
  ready: "admitted",
  leaving: "evicted; its quota is free when its pods are gone",
  backoff: "requeued; it comes back to its queue after a back-off",
  aside: "stands aside: nothing admits it as things are",
  unmanaged: "none: Kueue does not manage it",
};

/** Where one scheduler lets in and places: the same stages in its words. */
const GROUP: Readonly<Partial<Record<WorkloadStage, string>>> = {
  waiting: "waits for a place",
  arriving: "is not let in: it waits at the gate of its queue",
  aside: "let in; its pods are being made",
  reserved: "has fewer pods than its group needs",
  admitted: "placed; its pods start",
  ready: "its pods run",
  leaving: "told to leave; its GPUs are free when its pods are gone",
};

const PLACEMENT: Readonly<Partial<Record<WorkloadStage, string>>> = {
  admitted: "its pods are on their way to nodes",
  unplaceable: "unplaceable: its pods find no node, and it holds its quota",
  ready: "its pods run",
  leaving: "its pods are ending",
};

/** Lines for a list of facts: name and value. */
export function workloadLines(
  facts: KueueJobFacts,
  { atMs, calendar }: WordContext,
): (readonly [string, string])[] {
  const { stage, position, waitingCount, flavors, pods, podsAsked, domains } = facts;
  const clock = (ms: number) => clockNear(ms, atMs, calendar);
  const own = facts.system !== undefined;
  const lines: [string, string][] = [
    own ? ["Group", GROUP[stage] ?? ADMISSION[stage]] : ["Admission", ADMISSION[stage]],
  ];
  const placement = own ? undefined : PLACEMENT[stage];
  if (placement !== undefined) lines.push(["Placement", placement]);
  if (facts.localQueue !== "") lines.push(["LocalQueue", facts.localQueue]);
  if (facts.clusterQueue !== "") lines.push([own ? "Queue" : "ClusterQueue", facts.clusterQueue]);
  if (position > 0)
    lines.push([own ? "Place among its like" : "Place in it", `${position} of ${waitingCount}`]);
  lines.push(["Priority", String(facts.priority)]);
  if (facts.admittedMs >= 0) lines.push(["Admitted", clock(facts.admittedMs)]);
  if (flavors.length > 0)
    lines.push([flavors.length === 1 ? "Flavor" : "Flavors", flavors.join(", ")]);
  if (facts.podsLeast !== undefined) {
    const least = facts.podsLeast < podsAsked ? `, ${facts.podsLeast} at least` : "";
    lines.push(["Pods", `${pods} of ${podsAsked}${least}`]);
  } else if (pods > 0 && pods < podsAsked)
    lines.push(["Cut to", `${pods} of ${countText(podsAsked, "pod")}`]);
  if (domains > 0) lines.push(["Topology", countText(domains, "domain")]);
  if (facts.evictions > 0) lines.push(["Evicted", countText(facts.evictions, "time")]);
  if (facts.timeouts > 0)
    lines.push(["Requeued", `${countText(facts.timeouts, "time")}, its pods were not ready`]);
  return lines;
}
