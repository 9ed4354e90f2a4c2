/**
 * Points for age (up to `ageMaxMs`), fair share (classic factor of the job's team, user or tier), size (devices ÷ devices of the pool) and tier are
 * weighed and added; most points first. Computed anew at multiples of `priorityEveryMs`, as Slurm does (`PriorityCalcPeriod`), so between
 * two of them nobody changes places. Tie-break: submit time, index. O(waiting) a period, and a sort only where the order has changed.
 *
 * Pathology: weights decide everything and nobody can see it; a large age weight is first come first served in disguise, a large size
 * weight keeps small jobs waiting for wide ones. Source: Slurm's page "Multifactor Priority Plugin".
 */
import type { PoolView } from "../../engine/view.ts";
import type { PriorityTerm } from "../../model/lab/shares.ts";
import type { PoolSettings } from "../../model/policy.ts";
import type { JobRule } from "./jobRule.ts";
import { fairShareRule, type UsageBooks } from "./usageRules.ts";

export interface MultifactorBooks {
  readonly usage: UsageBooks;
  readonly ageWeight: number;
  readonly ageMaxMs: number;
  readonly fairShareWeight: number;
  readonly sizeWeight: number;
  readonly tierWeight: number;
}

export const multifactorRule: JobRule<MultifactorBooks> = {
  create(view: PoolView, pool: PoolSettings) {
    const weight = (key: string): number => Number(pool.settings[key] ?? 0);
    return {
      usage: fairShareRule.create(view, pool),
      ageWeight: weight("ageWeight"),
      ageMaxMs: Math.max(1, weight("ageMaxMs")),
      fairShareWeight: weight("fairShareWeight"),
      sizeWeight: weight("sizeWeight"),
      tierWeight: weight("tierWeight"),
    };
  },
  copy: (books) => ({ ...books, usage: fairShareRule.copy(books.usage) }),
  everyMs: ({ priorityEveryMs }) => Number(priorityEveryMs ?? 300_000),
  key: (books, view, jobIdx) => -pointsOf(books, view, jobIdx),
  terms: termsOf,
  held: (books, view, jobIdx) => fairShareRule.held(books.usage, view, jobIdx),
};

/** Whole points of a job now. O(depth). */
function pointsOf(books: MultifactorBooks, view: PoolView, jobIdx: number): number {
  const { age, size, tier, fairShare } = factorsOf(books, view, jobIdx);
  const points = books.ageWeight * age + books.sizeWeight * size + books.tierWeight * tier;
  return Math.round(points + (books.fairShareWeight > 0 ? books.fairShareWeight * fairShare() : 0));
}

/** The terms that have a weight. O(depth). */
function termsOf(books: MultifactorBooks, view: PoolView, jobIdx: number): PriorityTerm[] {
  const { age, size, tier, fairShare } = factorsOf(books, view, jobIdx);
  const terms: PriorityTerm[] = [
    { name: "age", value: age, weight: books.ageWeight },
    { name: "fairShare", value: fairShare(), weight: books.fairShareWeight },
    { name: "size", value: size, weight: books.sizeWeight },
    { name: "tier", value: tier, weight: books.tierWeight },
  ];
  return terms.filter(({ weight }) => weight !== 0);
}

function factorsOf(books: MultifactorBooks, view: PoolView, jobIdx: number) {
  const { submitMs, gpuTotal } = view.jobs.at;
  const age = Math.min(1, Math.max(0, view.nowMs - submitMs[jobIdx]!) / books.ageMaxMs);
  const size = Math.min(1, gpuTotal[jobIdx]! / Math.max(1, view.gpusOpenTotal));
  const below = Math.max(1, view.tiers.length - 1);
  const tier = Math.max(0, below - view.tierOfJob[jobIdx]!) / below;
  const fairShare = (): number =>
    fairShareRule.shown(books.usage, view, fairShareRule.groupOf(books.usage, view, jobIdx));
  return { age, size, tier, fairShare };
}
