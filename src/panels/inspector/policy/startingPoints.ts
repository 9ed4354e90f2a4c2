/** Policies that have a name, as places to start from: each with one line, or with its settings in words where nobody wrote one. */
import type { PolicyEntry } from "../../../scenario/schema.ts";
import { POLICY_NAMES } from "../../../scenario/settings.ts";
import { leanPolicy, settingChanges } from "./settingWords.ts";

export interface StartingPoint {
  readonly name: string;
  readonly label: string;
  readonly sentence: string;
  readonly policy: PolicyEntry;
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  fcfs: ["First come, first served", "Strictly in turn; nobody passes, however much is idle."],
  easy: ["EASY backfill", "In turn, and later jobs fill gaps that do not delay the first in line."],
  conservative: [
    "Conservative backfill",
    "Every waiting job has a reservation that none may delay.",
  ],
  sjf: ["Shortest first", "The shortest limit goes first; long jobs wait for quiet times."],
  "static-partition": [
    "Static partition",
    "Each team has its quota and never more; what it leaves idle stays idle.",
  ],
  "quota-borrowing": [
    "Quotas with borrowing",
    "Teams use what others leave idle, and give it back as jobs end.",
  ],
  "quota-reclaim": [
    "Quotas with reclaim",
    "Idle quota is lent, and taken back at once when its team has work.",
  ],
  "quota-auction": [
    "Hard quota, auctioned rest",
    "Quota is reserved; the rest goes to the highest bids and can be taken back.",
  ],
  "priority-preemption": [
    "Priority with preemption",
    "Higher tiers go first, and stop jobs of lower ones, which start again from their last checkpoint.",
  ],
  tiresias: [
    "Tiresias",
    "Rounds; who has had little device time goes first, in few queues (Gu et al., NSDI 2019).",
  ],
  themis: [
    "Themis",
    "Rounds; who finishes latest against running alone goes first (Mahajan et al., NSDI 2020).",
  ],
  gavel: [
    "Gavel",
    "Rounds; each job gets its due of time on each device model (Narayanan et al., OSDI 2020).",
  ],
};

const LAB = { preset: "lab", settings: {} };

/** The named policies of one preset, in the order of their list. O(names · settings). */
export function startingPoints(preset: string): readonly StartingPoint[] {
  return Object.entries(POLICY_NAMES)
    .filter(([, named]) => named.preset === preset && named.slurm === undefined)
    .map(([name, { settings }]) => {
      const policy = { preset, settings: { ...settings } };
      const [label, sentence] = WORDS[name] ?? [name, inWords(policy)];
      return { name, label, sentence, policy };
    });
}

function inWords(policy: PolicyEntry): string {
  const words = settingChanges(LAB, policy).map((change) => `${change.label}: ${change.to}`);
  return `${words.join(", ") || "Every setting at its default"}.`;
}

/** Whether a policy is the starting point, setting by setting. */
export function isAt(point: StartingPoint, policy: PolicyEntry): boolean {
  const [a, b] = [leanPolicy(point.policy), leanPolicy(policy)];
  return a.preset === b.preset && settingChanges(a, b).length === 0;
}
