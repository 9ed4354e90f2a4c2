/**
 * The classic fair share (`PriorityFlags=NO_FAIR_TREE`): FairShare = 2^−(EffectvUsage / NormShares / FairShareDampeningFactor), where
 * EffectvUsage = U + (parent's − U) × shares / siblings' shares (the manual's page "Classic Fairshare Algorithm").
 *
 * At a tick slurmctld norms accounts by the usage before it and users by the usage after it; recording 09b shows this lag of
 * accounts, so it is kept. It is gone one tick after the last usage.
 */
import pow from "@stdlib/math-base-special-pow";
import { PARENT_SHARES } from "../accounting/associations.ts";
import type { Usage } from "../accounting/usage.ts";

/** First half of a tick: accounts, from the usage before fading and new usage. O(accounts). */
export function computeAccounts(usage: Usage): void {
  usage.effective[0] = 1;
  usage.normUsage[0] = 1;
  const { isUser } = usage.setup.shares;
  for (let entry = 1; entry < isUser.length; entry++) {
    if (isUser[entry] === 0) computeEntry(usage, entry);
  }
}

/** Second half: users, from the usage as it is now. O(users). */
export function computeUsers(usage: Usage): void {
  const { isUser } = usage.setup.shares;
  for (let entry = 1; entry < isUser.length; entry++) {
    if (isUser[entry] === 1) computeEntry(usage, entry);
  }
}

function computeEntry(usage: Usage, entry: number): void {
  const total = usage.assoc.billed[0]!;
  usage.normUsage[entry] = total === 0 ? 0 : Math.min(1, usage.assoc.billed[entry]! / total);
  usage.effective[entry] = effectiveOf(usage, entry);
}

function effectiveOf(usage: Usage, entry: number): number {
  const { tree, shares } = usage.setup;
  const own = usage.normUsage[entry]!;
  const above = shares.above[entry]!;
  if (above === 0) return own;
  const ofAbove = usage.effective[above]!;
  const all = shares.levelShares[entry]!;
  if (tree.shares[entry] === PARENT_SHARES || all === 0) return ofAbove;
  return own + (ofAbove - own) * (tree.shares[entry]! / all);
}

/** FairShare of an entry; one with `fairshare=parent` has that of the entry whose shares it lives on. O(1), a power. */
export function classicFactor(usage: Usage, entry: number): number {
  const { tree, shares, config } = usage.setup;
  const at = tree.shares[entry] === PARENT_SHARES ? shares.above[entry]! : entry;
  const norm = shares.norm[at]!;
  if (norm <= 0) return 0;
  return pow(2, -(usage.effective[at]! / norm / config.fairShareDampening));
}
