/**
 * Jobs that would be admitted by nobody under a YAML of Kueue: they name a queue of which it has no LocalQueue, for their team or for every one, that leads to a ClusterQueue of the text. Without any
 * ClusterQueue one is there for everybody; a job that names no queue is not Kueue's.
 */
import type { Stage } from "../../../../protocol/messages.ts";
import type { FormObject } from "../../../../scenario/kubernetes/form/formSpec.ts";

/** A job without queue is named "-" in the table; one that goes to `default` runs unadmitted where that is not there. */
const NO_QUEUE: ReadonlySet<string> = new Set(["", "-", "default"]);

export interface LostQueue {
  readonly queue: string;
  readonly jobs: number;
}

/** Of the jobs of a pool for which `counts` holds, by queue. O(jobs + objects). */
export function lostQueues(
  objects: readonly FormObject[],
  stage: Pick<Stage, "jobs" | "queues" | "teams" | "poolOfJob">,
  pool: number,
  counts: (jobIdx: number) => boolean,
): LostQueue[] {
  const clusterQueues = new Set(
    objects.filter(({ kind }) => kind === "ClusterQueue").map(({ name }) => name),
  );
  if (clusterQueues.size === 0) return [];
  const open = new Set(
    objects
      .filter((one) => one.kind === "LocalQueue")
      .filter((one) => clusterQueues.has(textAt(one, "spec.clusterQueue")))
      .map((one) => keyOf(one.name, textAt(one, "metadata.namespace"))),
  );
  const lost = new Map<string, number>();
  const { count, at } = stage.jobs;
  for (let jobIdx = 0; jobIdx < count; jobIdx++) {
    const queue = stage.queues[at.queue[jobIdx]!] ?? "";
    if (stage.poolOfJob[jobIdx] !== pool || NO_QUEUE.has(queue) || !counts(jobIdx)) continue;
    const team = stage.teams[at.team[jobIdx]!]?.id ?? "";
    if (open.has(keyOf(queue, team)) || open.has(keyOf(queue, ""))) continue;
    lost.set(queue, (lost.get(queue) ?? 0) + 1);
  }
  return [...lost].map(([queue, jobs]) => ({ queue, jobs }));
}

const keyOf = (name: string, namespace: string): string => `${namespace}/${name}`;

function textAt({ parts }: FormObject, path: string): string {
  for (const { values } of parts)
    for (const value of values) if (value.path.join(".") === path) return value.text;
  return "";
}
