/**
 * One training job holds all 64 GPUs. It may run with any number of nodes from four on, so an urgent job of one node can take eight GPUs and leave it going on with 56:
 * slower for an hour, instead of starting again from its last checkpoint.
 */
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Sixty-four minus eight";
const QUESTION =
  "Must a job on 64 GPUs stop when eight of them are needed, or can it go on with 56?";
const CURSOR_MS = 110 * MINUTE_MS;
const policy = (shrinkFirst: boolean) => ({
  settings: { order: "tiers", backfill: "easy", preemption: "requeue", shrinkFirst },
});

export const labElastic: LibraryEntry = {
  id: "lab-elastic",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "foundation" },
  suggest: {
    label: "Let elastic jobs give members",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS,
      policy: policy(true),
      note: "Elastic jobs shrink first",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    pools: [{ id: "all", policy: policy(false) }],
    workload: {
      jobs: [
        {
          ...shape("foundation", 0, 8, 6 * HOUR_MS),
          startupMs: 8 * MINUTE_MS,
          elastic: {
            minMembers: 4,
            maxMembers: 8,
            restart: "horovod" as const,
            scaling: 0.95,
            rendezvousMs: 2 * MINUTE_MS,
          },
          checkpoint: { every: HOUR_MS, costMs: 3 * MINUTE_MS, restoreMs: 6 * MINUTE_MS },
        },
        { ...shape("hotfix-train", 120, 1, HOUR_MS), tier: "critical" },
        { ...shape("launch-eval", 140, 1, 40 * MINUTE_MS), tier: "critical" },
        { ...shape("rollback-check", 250, 2, 30 * MINUTE_MS), tier: "critical" },
      ],
    },
  },
};

function shape(id: string, submit: number, nodes: number, workMs: number) {
  return { id, submitMs: submit * MINUTE_MS, nodes, gpusPerNode: 8, workMs, limitMs: 3 * workMs };
}
