/**
 * KAI: two projects of one department with a quota of half each. Research comes first and uses everything; when product comes, its quota is taken back within a session and a
 * grace period. What research loses depends on its checkpoints: it has some every 20 minutes.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Quota taken back, under KAI";
const QUESTION = "How long does a team wait for quota that others use, and what does it cost them?";
const CURSOR_MS = 61 * MINUTE_MS;

const queue = (name: string, parent: string, quota: number) => `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: ${name}
spec:
  ${parent === "" ? "" : `parentQueue: ${parent}\n  `}resources:
    gpu: { quota: ${quota}, limit: -1, overQuotaWeight: 1 }
    cpu: { quota: -1, limit: -1, overQuotaWeight: 1 }
    memory: { quota: -1, limit: -1, overQuotaWeight: 1 }
`;
const YAML = [
  queue("department", "", 64),
  queue("product", "department", 32),
  queue("research", "department", 32),
].join("---\n");

export const kaiReclaim: LibraryEntry = {
  id: "kai-reclaim",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "product-1" },
  suggest: {
    label: "Without reclaim",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS - 2 * MINUTE_MS,
      policy: { preset: "kai", settings: { reclaim: false }, yaml: YAML },
      note: "KAI without reclaim",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    queues: ["product", "research"],
    pools: [{ id: "all", policy: { preset: "kai", yaml: YAML } }],
    workload: {
      jobs: [
        ...row("research", 0, 3, [200, 180, 240, 160, 220, 190, 210, 170]),
        ...row("product", 60, 15, [90, 120, 80, 100]),
      ],
    },
  },
};

/** Jobs of one node each, so many minutes apart. */
function row(team: string, from: number, apart: number, minutes: readonly number[]) {
  return minutes.map((work, index) => ({
    id: `${team}-${index + 1}`,
    queue: team,
    submitMs: (from + apart * index) * MINUTE_MS,
    nodes: 1,
    gpusPerNode: 8,
    workMs: work * MINUTE_MS,
    limitMs: 2 * work * MINUTE_MS,
    checkpoint: { every: 20 * MINUTE_MS, costMs: MINUTE_MS, restoreMs: MINUTE_MS },
  }));
}
