/** Gangs of several nodes on four leaves. First fit lets them straddle leaves as holes open; the other placement keeps them under one. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Gangs under one leaf switch";
const QUESTION =
  "How often does a gang straddle leaf switches, and what does keeping it together cost in waiting?";

export const topology: LibraryEntry = {
  id: "topology",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: 10.5 * HOUR_MS },
  suggest: {
    label: "Keep gangs under one leaf",
    intervention: {
      kind: "policy",
      atMs: 0,
      policy: { preset: "lab", settings: { placement: "sameLeaf" } },
      note: "Placement: same leaf",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 5,
    calendarStart: "2026-03-02T00:00:00",
    cluster: {
      nodeGroups: [{ id: "h100", count: 32, gpus: 8 }],
      fabric: { nodesPerLeaf: 8, leavesPerSpine: 4 },
    },
    pools: [{ id: "all", policy: { preset: "lab", settings: { placement: "firstFit" } } }],
    workload: {
      synthetic: [
        {
          id: "gang",
          arrivals: { perHour: 1.9 },
          untilMs: DAY_MS,
          gpus: [
            { value: 24, weight: 3 },
            { value: 40, weight: 3 },
            { value: 64, weight: 2 },
          ],
          wholeNodesFrom: 8,
          work: {
            medianMs: 110 * MINUTE_MS,
            spread: 1.7,
            leastMs: 20 * MINUTE_MS,
            mostMs: 8 * HOUR_MS,
          },
          names: ["llm-gang", "moe-gang", "vlm-gang"],
        },
        {
          id: "single",
          arrivals: { perHour: 5 },
          untilMs: DAY_MS,
          gpus: [
            { value: 2, weight: 2 },
            { value: 4, weight: 2 },
            { value: 8, weight: 3 },
          ],
          work: {
            medianMs: 55 * MINUTE_MS,
            spread: 2,
            leastMs: 5 * MINUTE_MS,
            mostMs: 6 * HOUR_MS,
          },
          names: ["finetune", "eval"],
        },
      ],
    },
  },
};
