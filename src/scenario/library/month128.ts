/**
 * A synthetic month on 128 nodes of eight GPUs: large pretraining, training, fine-tuning, notebooks by day and bursts of checks.
 * The rates offer about nine tenths of the cluster (`test/scenario/library.test.ts` holds the bounds).
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "A month on 128 nodes";
const QUESTION = "What do a thousand GPUs look like over a month at nine tenths of their capacity?";

export const month128: LibraryEntry = {
  id: "month-128",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: 4 * DAY_MS + 18 * HOUR_MS },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 2026,
    horizonMs: 30 * DAY_MS,
    calendarStart: "2026-03-02T00:00:00",
    cluster: {
      nodeGroups: [{ id: "h100", count: 128, gpus: 8, cpus: 96, memGiB: 2048, numaDomains: 2 }],
      fabric: { nodesPerLeaf: 16, leavesPerSpine: 4 },
    },
    teams: [
      { id: "foundation", name: "Foundation models", shares: 40 },
      { id: "language", name: "Language", shares: 25 },
      { id: "vision", name: "Vision", shares: 20 },
      { id: "platform", name: "Platform", shares: 15 },
    ],
    pools: [
      {
        id: "all",
        policy: {
          preset: "lab",
          settings: { order: "tiers", backfill: "easy", placement: "bestFit" },
        },
      },
    ],
    workload: {
      synthetic: [
        {
          id: "pretrain",
          tier: "high",
          arrivals: { perHour: 0.3 },
          gpus: [
            { value: 64, weight: 5 },
            { value: 128, weight: 3 },
            { value: 256, weight: 1 },
          ],
          wholeNodesFrom: 8,
          work: { medianMs: 14 * HOUR_MS, spread: 2, leastMs: HOUR_MS, mostMs: 5 * DAY_MS },
          teams: [
            { value: "foundation", weight: 4 },
            { value: "language", weight: 1 },
          ],
          users: 6,
          cpusPerGpu: 8,
          memGiBPerGpu: 128,
          names: ["llm-pretrain", "moe-pretrain", "vlm-pretrain"],
        },
        {
          id: "train",
          arrivals: { perHour: 4.9, pattern: "diurnal", dayNight: 0.5, weekend: 0.6 },
          gpus: [
            { value: 8, weight: 6 },
            { value: 16, weight: 3 },
            { value: 32, weight: 2 },
          ],
          wholeNodesFrom: 8,
          work: { medianMs: 3 * HOUR_MS, spread: 2.6, leastMs: 10 * MINUTE_MS, mostMs: 3 * DAY_MS },
          teams: [
            { value: "language", weight: 3 },
            { value: "vision", weight: 3 },
            { value: "foundation", weight: 2 },
          ],
          users: 30,
          cpusPerGpu: 8,
          memGiBPerGpu: 96,
          names: ["sft", "reward", "detector", "asr", "ranker"],
        },
        {
          id: "finetune",
          arrivals: { perHour: 9, pattern: "diurnal", weekend: 0.4 },
          gpus: [
            { value: 1, weight: 4 },
            { value: 2, weight: 3 },
            { value: 4, weight: 3 },
          ],
          work: {
            medianMs: 80 * MINUTE_MS,
            spread: 2.6,
            leastMs: 5 * MINUTE_MS,
            mostMs: 2 * DAY_MS,
          },
          teams: [
            { value: "language", weight: 4 },
            { value: "vision", weight: 4 },
            { value: "platform", weight: 1 },
          ],
          users: 60,
          cpusPerGpu: 6,
          memGiBPerGpu: 64,
          names: ["lora", "adapter", "ablation", "sweep"],
        },
        {
          id: "notebook",
          kind: "interactive",
          tier: "high",
          arrivals: { perHour: 4, pattern: "diurnal", dayNight: 0.95, weekend: 0.15 },
          gpus: [
            { value: 1, weight: 5 },
            { value: 2, weight: 1 },
          ],
          work: {
            medianMs: 50 * MINUTE_MS,
            spread: 2.2,
            leastMs: 2 * MINUTE_MS,
            mostMs: 10 * HOUR_MS,
          },
          users: 80,
          gang: false,
          cpusPerGpu: 8,
          memGiBPerGpu: 64,
          names: ["notebook"],
        },
        {
          id: "check",
          kind: "ci",
          tier: "low",
          arrivals: { perHour: 7, pattern: "bursts", burstJobs: 12, weekend: 0.3 },
          gpus: [
            { value: 1, weight: 6 },
            { value: 8, weight: 1 },
          ],
          work: { medianMs: 9 * MINUTE_MS, spread: 1.8, leastMs: MINUTE_MS, mostMs: 2 * HOUR_MS },
          teams: [{ value: "platform", weight: 1 }],
          users: 4,
          cpusPerGpu: 8,
          memGiBPerGpu: 64,
          names: ["ci-smoke", "ci-kernels", "nightly-eval"],
        },
      ],
    },
  },
};
