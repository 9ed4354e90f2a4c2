/**
 * Ten jobs of three GPUs each, spread over eight nodes, leave 34 GPUs free and no node whole: a job that needs eight GPUs of one
 * node cannot start. Placed by best fit from the start they fill five nodes, and it starts at once.
 */
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Free GPUs that nobody can use";
const QUESTION =
  "34 GPUs are free, so why can no 8-GPU job start, and would another placement help?";
const SMALL_JOBS = 10;
const NAMES = [
  "ocr",
  "asr",
  "rank",
  "clip",
  "tts",
  "embed",
  "seg",
  "pose",
  "depth",
  "nav",
] as const;

export const fragmentation: LibraryEntry = {
  id: "fragmentation",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: 60 * MINUTE_MS, select: "train-1x8" },
  suggest: {
    label: "Place by best fit from the start",
    intervention: {
      kind: "policy",
      atMs: 0,
      policy: { preset: "lab", settings: { placement: "bestFit" } },
      note: "Placement: best fit",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    pools: [{ id: "all", policy: { preset: "lab", settings: { placement: "spread" } } }],
    workload: {
      jobs: [
        ...Array.from({ length: SMALL_JOBS }, (_, i) => ({
          id: `${NAMES[i] ?? "job"}-3gpu`,
          submitMs: 2 * i * MINUTE_MS,
          nodes: 1,
          gpusPerNode: 3,
          workMs: 4 * HOUR_MS + 17 * i * MINUTE_MS,
          limitMs: 8 * HOUR_MS,
        })),
        {
          id: "train-1x8",
          submitMs: 30 * MINUTE_MS,
          nodes: 1,
          gpusPerNode: 8,
          workMs: 2 * HOUR_MS,
          limitMs: 3 * HOUR_MS,
        },
        {
          id: "train-2x8",
          submitMs: 50 * MINUTE_MS,
          nodes: 2,
          gpusPerNode: 8,
          workMs: HOUR_MS,
          limitMs: 2 * HOUR_MS,
        },
        {
          id: "probe-5gpu",
          submitMs: 75 * MINUTE_MS,
          nodes: 1,
          gpusPerNode: 5,
          workMs: 30 * MINUTE_MS,
          limitMs: HOUR_MS,
        },
      ],
    },
  },
};
