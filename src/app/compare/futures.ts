/** The futures side by side: those that are kept, then the run that is shown. The same job in each of them. */
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { BRANCH_LETTERS, type Branch } from "../../store/branches.ts";
import { jobsKeepTheirNumbers } from "../../store/jobNumbers.ts";
import type { RunData } from "../../store/runData.ts";
import { jobIdxOfId } from "../../timeline/jobNames.ts";
import { differencesOf } from "./differences.ts";

export interface ComparedFuture extends Branch {
  readonly letter: string;
  /** Place among the kept ones; −1 = the run that is shown. */
  readonly keptIndex: number;
}

/** Lettered in order. The shown run is left out while nothing runs, or where a kept one is the same. */
export function futuresOf(
  kept: readonly Branch[],
  { stage, current }: Pick<RunData, "stage" | "current">,
  scenario: Scenario | null,
): ComparedFuture[] {
  const lettered = kept.map((branch, index) => ({
    ...branch,
    letter: BRANCH_LETTERS[index]!,
    keptIndex: index,
  }));
  const isKept = kept.some(
    ({ future }) => future.digest !== "" && future.digest === current.digest,
  );
  if (!stage || !scenario || isKept) return lettered;
  const letter = BRANCH_LETTERS[kept.length]!;
  return [...lettered, { scenario, stage, future: current, letter, keptIndex: -1 }];
}

/** The letter of the kept future that a changed document has the same run as: why the shown run has no strip of its own; `null` where it has one. */
export function sameRunAs(
  kept: readonly Branch[],
  current: RunData["current"],
  scenario: Scenario | null,
): string | null {
  const at = kept.findIndex(({ future }) => future.digest === current.digest);
  const branch = current.done ? kept[at] : undefined;
  if (!branch || !scenario || branch.scenario === scenario) return null;
  const word = branch.stage.cluster.deviceWord;
  return differencesOf(branch.scenario, scenario, word).length > 0 ? BRANCH_LETTERS[at]! : null;
}

/** The number of a job of `from` in `to`; −1 where it is not there. O(jobs) at worst. */
export function sameJob(from: Stage, to: Stage, jobIdx: number): number {
  if (jobIdx < 0 || jobIdx >= from.jobs.count) return -1;
  if (from === to) return jobIdx;
  const numbers = jobsKeepTheirNumbers(from, to) || jobsKeepTheirNumbers(to, from);
  const id = nameOf(from.jobs.ids, jobIdx);
  if (numbers && jobIdx < to.jobs.count && nameOf(to.jobs.ids, jobIdx) === id) return jobIdx;
  return jobIdxOfId(to.jobs.ids, id);
}
