/**
 * A chat service follows the day in a pool of four nodes, training fills a pool of eight, and a controller lends nodes from one to the other. The day's peak at 14:00 fits;
 * whether it still does with two nodes less depends on how fast the controller hands over.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Serving through the day";
const QUESTION =
  "Does the chat service hold its latency target if two of its nodes fail at the daily peak?";
const CURSOR_MS = 13.5 * HOUR_MS;

export const labServices: LibraryEntry = {
  id: "lab-services",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "chat/0" },
  suggest: {
    label: "Let two serving nodes fail",
    intervention: {
      kind: "fail",
      atMs: CURSOR_MS,
      nodes: ["serve-000", "serve-001"],
      note: "Two serving nodes fail",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 5,
    horizonMs: DAY_MS,
    calendarStart: "2026-03-02T00:00:00",
    cluster: {
      nodeGroups: [
        { id: "serve", count: 4, gpus: 8 },
        { id: "train", count: 8, gpus: 8 },
      ],
      fabric: { nodesPerLeaf: 4 },
    },
    services: [
      {
        id: "chat",
        gpusPerReplica: 2,
        minReplicas: 3,
        maxReplicas: 20,
        coldStartMs: 2 * MINUTE_MS,
        concurrency: 8,
        requestMs: 2_000,
        autoscale: { everyMs: MINUTE_MS },
        target: { latencyMs: 8_000 },
        demand: {
          shape: "diurnal",
          perSec: 24,
          swing: 0.8,
          peakMs: 14 * HOUR_MS,
          stepMs: 5 * MINUTE_MS,
        },
      },
    ],
    fleet: { serving: "serving", batch: "training" },
    pools: [
      { id: "serving", nodeGroups: ["serve"], route: { kinds: ["inference"] } },
      { id: "training", nodeGroups: ["train"] },
    ],
    workload: {
      synthetic: [
        {
          id: "train",
          tier: "low",
          arrivals: { perHour: 2.5 },
          gpus: [8, 16, 32].map((value) => ({ value, weight: 1 })),
          work: {
            medianMs: 80 * MINUTE_MS,
            spread: 1.8,
            leastMs: 20 * MINUTE_MS,
            mostMs: 5 * HOUR_MS,
          },
          names: ["finetune", "ablation", "sweep"],
        },
      ],
    },
  },
};
