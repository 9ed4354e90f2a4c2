/**
 * Volcano with its built-in actions: single-node groups keep coming, one or two nodes are free now and then, and a group that needs four never finds them together. Its action `backfill` is no
 * help: it places pods that ask for nothing.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Four nodes at once, under Volcano";
const QUESTION = "Small groups pass a large one whenever they fit. When does the large one start?";
const CURSOR_MS = 120 * MINUTE_MS;
const WORK_MIN = [50, 80, 65, 95, 70, 55, 85, 60];

export const volcanoStarved: LibraryEntry = {
  id: "volcano-starved",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "large" },
  suggest: {
    label: "EASY instead: nodes are kept for the large group",
    from: "volcano",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS,
      policy: { settings: { order: "fcfs", backfill: "easy" } },
      note: "EASY backfill",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    pools: [{ id: "all", policy: { preset: "volcano" } }],
    workload: {
      jobs: [
        ...Array.from({ length: 40 }, (_, i) => {
          const work = WORK_MIN[i % WORK_MIN.length]!;
          return oneJob(`small-${i + 1}`, 9 * i, 1, work);
        }),
        oneJob("large", 75, 4, 60),
      ],
    },
  },
};

function oneJob(id: string, atMin: number, nodes: number, workMin: number) {
  return {
    id,
    submitMs: atMin * MINUTE_MS,
    nodes,
    gpusPerNode: 8,
    workMs: workMin * MINUTE_MS,
    limitMs: 1.25 * workMin * MINUTE_MS,
  };
}
