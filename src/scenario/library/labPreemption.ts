/**
 * Four training jobs fill eight nodes and save every half hour; from 09:30 on urgent evaluations come, which wait for hours unless somebody gives way.
 * Told to, training saves and leaves within two minutes, so what it loses is the way back.
 */
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Urgent work against long training";
const QUESTION =
  "How soon does urgent work start if training gives way, and what does training lose?";
const CURSOR_MS = 105 * MINUTE_MS;
const settings = { order: "tiers", backfill: "easy" };

export const labPreemption: LibraryEntry = {
  id: "lab-preemption",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "incident-eval" },
  suggest: {
    label: "Let training give way, with two minutes to save",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS,
      policy: { settings: { ...settings, preemption: "graceful", graceMs: 2 * MINUTE_MS } },
      note: "Graceful preemption",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: {
      nodeGroups: [{ id: "h100", count: 8, gpus: 8 }],
      fabric: { nodesPerLeaf: 4 },
      storage: { writeGBps: 10 },
    },
    pools: [{ id: "all", policy: { settings } }],
    workload: {
      jobs: [
        training("pretrain-a", 0, 2, 9),
        training("pretrain-b", 4, 2, 6.5),
        training("vision", 9, 2, 8),
        training("speech", 15, 2, 7),
        training("distill", 40, 1, 3),
        urgent("incident-eval", 90, 2, 50),
        urgent("canary-check", 240, 1, 30),
        urgent("safety-eval", 300, 3, 40),
      ],
    },
  },
};

function training(id: string, submit: number, nodes: number, hours: number) {
  return {
    ...shape(id, submit, nodes, hours * HOUR_MS),
    tier: "normal",
    startupMs: 2 * MINUTE_MS,
    checkpoint: { every: 30 * MINUTE_MS, sizeGiB: 400, restoreMs: 3 * MINUTE_MS, onSignal: true },
  };
}

function urgent(id: string, submit: number, nodes: number, minutes: number) {
  return { ...shape(id, submit, nodes, minutes * MINUTE_MS), tier: "critical" };
}

function shape(id: string, submit: number, nodes: number, workMs: number) {
  return {
    id,
    submitMs: submit * MINUTE_MS,
    nodes,
    gpusPerNode: 8,
    workMs,
    limitMs: Math.ceil(1.4 * workMs),
  };
}
