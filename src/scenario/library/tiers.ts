/** Four tiers share 16 nodes in order of submission; from the cursor on, the order may follow the tiers. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "What priority tiers do";
const QUESTION = "Whose waiting becomes shorter when higher tiers go first, and who pays for it?";

type Class = NonNullable<NonNullable<ScenarioInput["workload"]>["synthetic"]>[number];

export const tiers: LibraryEntry = {
  id: "tiers",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: 12 * HOUR_MS },
  suggest: {
    label: "Let higher tiers go first",
    intervention: {
      kind: "policy",
      atMs: 12 * HOUR_MS,
      policy: { preset: "lab", settings: { order: "tiers", backfill: "easy" } },
      note: "Order: priority tiers",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 11,
    calendarStart: "2026-03-02T00:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 16, gpus: 8 }], fabric: { nodesPerLeaf: 8 } },
    workload: {
      synthetic: [
        classOf("critical", 0.7, [8, 16], 40, ["prod-retrain", "hotfix-train"]),
        classOf("high", 1.4, [8, 16, 32], 70, ["launch-model", "safety-eval"]),
        classOf("normal", 3.2, [1, 4, 8, 32], 80, ["finetune", "ablation", "sweep"]),
        classOf("low", 3.5, [1, 2, 8], 75, ["backlog-eval", "scrape-embed"]),
      ],
    },
  },
};

function classOf(
  tier: string,
  perHour: number,
  sizes: readonly number[],
  medianMin: number,
  names: string[],
): Class {
  return {
    id: tier,
    tier,
    arrivals: { perHour, pattern: "diurnal" },
    untilMs: 2 * DAY_MS,
    gpus: sizes.map((value) => ({ value, weight: 1 })),
    work: {
      medianMs: medianMin * MINUTE_MS,
      spread: 2,
      leastMs: 5 * MINUTE_MS,
      mostMs: 8 * HOUR_MS,
    },
    names,
  };
}
