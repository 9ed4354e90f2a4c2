/**
 * A small cluster under strict first come, first served. At 09:20 twenty GPUs stand idle, yet an 8-GPU evaluation waits: the
 * six-node job before it cannot start until noon and nobody may pass. EASY backfill, turned on at that moment, starts the
 * evaluation at once and the six-node job no later.
 *
 *     08:00  llm-70b    4 nodes until 12:00        08:20  moe-6x8     waits for six whole nodes
 *     08:03  vit-sweep  1 node  until 09:38        08:35  eval-suite  waits behind it, 25 minutes of work
 *     08:08  tts-train  4 GPUs  until 11:08        …
 *
 * The jobs' tiers only colour them here: the policy goes by submit time alone.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Why is my job waiting?";
const QUESTION = "Twenty GPUs are idle, so why does an 8-GPU job wait, and what would start it?";
const CURSOR_MS = 80 * MINUTE_MS;

export const whyWaiting: LibraryEntry = {
  id: "why-waiting",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "eval-suite" },
  suggest: {
    label: "Turn backfill on",
    intervention: {
      kind: "policy",
      atMs: CURSOR_MS,
      policy: {
        preset: "lab",
        settings: { order: "fcfs", backfill: "easy", placement: "firstFit" },
      },
      note: "EASY backfill on",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: {
      nodeGroups: [{ id: "h100", count: 8, gpus: 8, cpus: 96, memGiB: 1024 }],
      fabric: { nodesPerLeaf: 4 },
    },
    teams: [{ id: "language" }, { id: "vision" }, { id: "speech" }],
    pools: [
      {
        id: "all",
        policy: { preset: "lab", settings: { backfill: "none" } },
      },
    ],
    workload: {
      jobs: [
        whole("llm-70b", "critical", 0, 4, 240, 270, "language", "mira"),
        whole("vit-sweep", "normal", 3, 1, 95, 150, "vision", "jon"),
        part("tts-train", "normal", 8, 4, 180, 240, "speech", "ana"),
        whole("moe-6x8", "high", 20, 6, 200, 300, "language", "mira"),
        whole("eval-suite", "normal", 35, 1, 25, 40, "language", "lee"),
        part("asr-debug", "low", 45, 1, 60, 120, "speech", "ana"),
        part("lora-r16", "low", 55, 2, 70, 100, "vision", "kim"),
        whole("rlhf-2x8", "normal", 70, 2, 60, 90, "language", "lee"),
        part("clip-probe", "low", 95, 4, 45, 60, "vision", "jon"),
        part("bench-nccl", "low", 110, 2, 10, 20, "language", "kim"),
        whole("diffusion-3x8", "high", 150, 3, 120, 180, "vision", "jon"),
        part("tokenizer-test", "low", 170, 1, 15, 30, "language", "lee"),
        whole("asr-4x8", "normal", 200, 4, 90, 150, "speech", "ana"),
      ],
    },
  },
};

/** Whole nodes of eight GPUs; minutes. */
function whole(
  id: string,
  tier: string,
  submit: number,
  nodes: number,
  work: number,
  limit: number,
  team: string,
  user: string,
) {
  return {
    ...times(id, tier, submit, work, limit, team, user),
    nodes,
    gpusPerNode: 8,
    cpusPerGpu: 10,
    memGiBPerGpu: 100,
  };
}

/** Some GPUs of one node. */
function part(
  id: string,
  tier: string,
  submit: number,
  gpus: number,
  work: number,
  limit: number,
  team: string,
  user: string,
) {
  return {
    ...times(id, tier, submit, work, limit, team, user),
    nodes: 1,
    gpusPerNode: gpus,
    cpusPerGpu: 10,
    memGiBPerGpu: 100,
  };
}

function times(
  id: string,
  tier: string,
  submit: number,
  work: number,
  limit: number,
  team: string,
  user: string,
) {
  return {
    id,
    tier,
    submitMs: submit * MINUTE_MS,
    workMs: work * MINUTE_MS,
    limitMs: limit * MINUTE_MS,
    team,
    user,
  };
}
