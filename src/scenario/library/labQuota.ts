/**
 * Two teams own half of eight nodes each. Research is idle until 11:00 and its half is lent; when it comes back with work, its GPUs are busy until the
 * borrowed jobs end, or are taken back at once.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Whose GPUs are these?";
const QUESTION = "A team's idle quota is lent out when it needs it back: how long does it wait?";
const CURSOR_MS = 195 * MINUTE_MS;
const policy = (quota: string) => ({
  settings: { backfill: "easy", quota, preemption: "requeue", victims: "mostOverShare" },
});

export const labQuota: LibraryEntry = {
  id: "lab-quota",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "research-2" },
  suggest: {
    label: "Take lent GPUs back",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS,
      policy: policy("reclaim"),
      note: "Borrowing with reclaim",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    teams: [
      { id: "product", quotaGpus: 32 },
      { id: "research", quotaGpus: 32, lendGpus: 24 },
    ],
    pools: [{ id: "all", policy: policy("borrow") }],
    workload: {
      jobs: [
        ...row("product", 0, 20, [240, 300, 210, 330, 270, 390, 180, 360, 150]),
        ...row("research", 180, 10, [60, 90, 75, 120, 45]),
      ],
    },
  },
};

/** Jobs of one node each, so many minutes apart. */
function row(team: string, from: number, apart: number, minutes: readonly number[]) {
  return minutes.map((work, index) => ({
    id: `${team}-${index + 1}`,
    team,
    submitMs: (from + apart * index) * MINUTE_MS,
    nodes: 1,
    gpusPerNode: 8,
    workMs: work * MINUTE_MS,
    limitMs: 1.5 * work * MINUTE_MS,
    checkpoint: { every: 20 * MINUTE_MS, costMs: MINUTE_MS, restoreMs: MINUTE_MS },
  }));
}
