/** Two days of mixed work on 16 nodes under strict first come, first served; backfill may be turned on at any time. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "First come, first served against backfill";
const QUESTION = "How much waiting does backfill take away at the same load?";

export const fifoBackfill: LibraryEntry = {
  id: "fifo-backfill",
  title: TITLE,
  question: QUESTION,
  // A wide job waits for its GPUs, and all the narrow ones behind it.
  openAt: { cursorMs: 24 * HOUR_MS },
  suggest: {
    label: "Turn EASY backfill on",
    intervention: {
      kind: "policy",
      atMs: 6 * HOUR_MS,
      policy: { preset: "lab", settings: { backfill: "easy" } },
      note: "EASY backfill on",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 7,
    calendarStart: "2026-03-02T00:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 16, gpus: 8 }], fabric: { nodesPerLeaf: 8 } },
    pools: [{ id: "all", policy: { preset: "lab", settings: { backfill: "none" } } }],
    workload: {
      synthetic: [
        {
          id: "wide",
          arrivals: { perHour: 0.35 },
          untilMs: 2 * DAY_MS,
          gpus: [
            { value: 32, weight: 3 },
            { value: 64, weight: 2 },
            { value: 96, weight: 1 },
          ],
          work: {
            medianMs: 2.5 * HOUR_MS,
            spread: 1.8,
            leastMs: 30 * MINUTE_MS,
            mostMs: 10 * HOUR_MS,
          },
          names: ["pretrain", "moe", "diffusion"],
        },
        {
          id: "narrow",
          arrivals: { perHour: 6 },
          untilMs: 2 * DAY_MS,
          gpus: [
            { value: 1, weight: 4 },
            { value: 2, weight: 3 },
            { value: 4, weight: 2 },
            { value: 8, weight: 2 },
          ],
          work: {
            medianMs: 45 * MINUTE_MS,
            spread: 2.2,
            leastMs: 5 * MINUTE_MS,
            mostMs: 8 * HOUR_MS,
          },
          names: ["finetune", "eval", "probe", "sweep"],
        },
      ],
    },
  },
};
