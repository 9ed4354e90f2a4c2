/**
 * Past usage that fades: what was used a half-life ago counts half. Usage grows while a group holds something and fades all the time, and
 * is worked out only when somebody asks: a group that nothing happens to costs nothing.
 *
 * Amounts are held multiplied by E(t) = 2^((t − epoch) / half-life), which turns fading into standing still: a group that holds r
 * devices from t0 to t1 gains r · (half-life / ln 2) · (E(t1) − E(t0)), the exact integral, so the result does not depend on how often
 * anybody looked. A half-life of 0 means that nothing is ever forgotten (a zero that forgets everything at once would switch fair
 * sharing off without a word). Unit: device-milliseconds. O(1) each, and O(groups) once in 200 half-lives.
 */
import pow from "@stdlib/math-base-special-pow";

const LN_2 = Math.LN2;
/** E is brought back to 1 beyond this. */
const LARGE = 2 ** 200;
/** From here on 24 binary digits are coarser than a millisecond. */
const WHOLE_FROM = 2 ** 24;

export interface DecayedUsage {
  /** 0 = never fades. */
  readonly halfLifeMs: number;
  epochMs: number;
  /** The last time asked for, and E there. */
  lastMs: number;
  growth: number;
  /** Counts changes of rates and amounts, and of what is weighed beside them: levels that follow from them hold as long as it stands. */
  changes: number;
  /** By group: usage × E , devices held now (weighed), and E (or the time, without fading) up to which it is counted. */
  readonly amount: Float64Array;
  readonly rate: Float64Array;
  readonly countedTo: Float64Array;
}

/** Nobody has used anything at `nowMs`. */
export function createDecayedUsage(
  groups: number,
  halfLifeMs: number,
  nowMs: number,
): DecayedUsage {
  return {
    halfLifeMs,
    epochMs: nowMs,
    lastMs: nowMs,
    growth: 1,
    changes: 0,
    amount: new Float64Array(groups),
    rate: new Float64Array(groups),
    countedTo: new Float64Array(groups).fill(halfLifeMs > 0 ? 1 : nowMs),
  };
}

/** A copy that shares nothing. O(groups). */
export function copyDecayedUsage(usage: DecayedUsage): DecayedUsage {
  return {
    ...usage,
    amount: usage.amount.slice(),
    rate: usage.rate.slice(),
    countedTo: usage.countedTo.slice(),
  };
}

/** From now on the group holds `devices` more (negative: fewer). */
export function addRate(usage: DecayedUsage, group: number, devices: number, nowMs: number): void {
  count(usage, group, nowMs);
  const rate = usage.rate[group]! + devices;
  usage.rate[group] = Math.abs(rate) < 1e-9 ? 0 : rate;
}

/**
 * A group held so many devices from `fromMs` to `toMs`, before it was counted here: for take-overs. Longer ago than a few hundred half-lives it
 * makes no difference.
 */
export function addPast(
  usage: DecayedUsage,
  group: number,
  devices: number,
  fromMs: number,
  toMs: number,
  nowMs: number,
): void {
  const { halfLifeMs } = usage;
  if (halfLifeMs <= 0) {
    addUsage(usage, group, devices * (toMs - fromMs), nowMs);
    return;
  }
  const left = pow(2, (toMs - nowMs) / halfLifeMs) - pow(2, (fromMs - nowMs) / halfLifeMs);
  addUsage(usage, group, (devices * left * halfLifeMs) / LN_2, nowMs);
}

/** Usage of a group that was used before, device-ms as of now: for take-overs and tests. */
export function addUsage(
  usage: DecayedUsage,
  group: number,
  deviceMs: number,
  nowMs: number,
): void {
  count(usage, group, nowMs);
  usage.amount[group]! += deviceMs * usage.growth;
}

/**
 * Usage of a group now, running jobs counted up to now, in device-ms: whole ones, and less than 2^24 to 24 binary digits. Two groups that have used the
 * same are equal whatever way their sums were rounded, and what little is left after many half-lives is still more than nothing. Looking
 * changes nothing, so a run that is looked at more often stays the same run.
 */
export function usageAt(usage: DecayedUsage, group: number, nowMs: number): number {
  const growth = growthAt(usage, nowMs);
  const amount = amountAt(usage, group, growth, nowMs);
  return amount < WHOLE_FROM ? Math.fround(amount) : Math.round(amount);
}

/** Devices that a group holds now, as they are charged. */
export function rateOf(usage: DecayedUsage, group: number): number {
  return usage.rate[group]!;
}

/** E at a time; without fading 1. */
function growthAt(usage: DecayedUsage, nowMs: number): number {
  if (usage.halfLifeMs > 0 && nowMs !== usage.lastMs) {
    usage.growth = pow(2, (nowMs - usage.epochMs) / usage.halfLifeMs);
    usage.lastMs = nowMs;
  }
  return usage.growth;
}

/** Usage as of now, unrounded. */
function amountAt(usage: DecayedUsage, group: number, growth: number, nowMs: number): number {
  const { halfLifeMs } = usage;
  const rate = usage.rate[group]!;
  if (halfLifeMs <= 0) return usage.amount[group]! + rate * (nowMs - usage.countedTo[group]!);
  const perGrowth = halfLifeMs / LN_2;
  // More than a thousand half-lives at once: nothing is left but what holders are worth in the long run.
  if (growth === Number.POSITIVE_INFINITY) return rate * perGrowth;
  if (rate === 0) return usage.amount[group]! / growth;
  return (usage.amount[group]! + rate * perGrowth * (growth - usage.countedTo[group]!)) / growth;
}

/** Counts a group up to now, before its rate changes. */
function count(usage: DecayedUsage, group: number, nowMs: number): void {
  const growth = growthAt(usage, nowMs);
  usage.changes++;
  if (growth > LARGE) {
    rebase(usage, nowMs);
    return;
  }
  usage.amount[group] = amountAt(usage, group, growth, nowMs) * growth;
  usage.countedTo[group] = usage.halfLifeMs > 0 ? growth : nowMs;
}

/** Counts everybody up to now and makes E there 1. */
function rebase(usage: DecayedUsage, nowMs: number): void {
  for (let group = 0; group < usage.amount.length; group++) {
    usage.amount[group] = amountAt(usage, group, usage.growth, nowMs);
    usage.countedTo[group] = 1;
  }
  usage.epochMs = nowMs;
  usage.growth = 1;
}
