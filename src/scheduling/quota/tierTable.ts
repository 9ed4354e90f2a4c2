/**
 * Guaranteed devices of tiers. Others below may use them only while they can be taken back: a job whose owner forbids preemption starts only
 * if what is free, and what lower tiers would have to give back, still covers the unused guarantees of the tiers above it. A job within the
 * guarantee of its tier that does not fit takes back from lower tiers, lowest tier first, the youngest first, and never what a tier below
 * holds within a guarantee of its own. Counted in devices of the pool, not in places: a guarantee can be there and too scattered for a gang.
 * O(tiers) a verdict.
 */
export interface TierBooks {
  /** By tier, thousandths. */
  readonly guaranteed: Float64Array;
  readonly held: Float64Array;
  /** Of `held`: what can be taken back. */
  readonly takeable: Float64Array;
}

export function createTierBooks(
  tiers: readonly { readonly guaranteedGpus?: number | undefined }[],
): TierBooks {
  return {
    guaranteed: Float64Array.from(tiers, (tier) => (tier.guaranteedGpus ?? 0) * 1_000),
    held: new Float64Array(tiers.length),
    takeable: new Float64Array(tiers.length),
  };
}

export function copyTierBooks(books: TierBooks): TierBooks {
  return {
    guaranteed: books.guaranteed,
    held: books.held.slice(),
    takeable: books.takeable.slice(),
  };
}

/**
 * The tier whose guarantee a job that cannot be taken back would break, and how much is left for such jobs beside it; null = none.
 * `openMilli`: what the pool has.
 */
export function brokenGuarantee(
  books: TierBooks,
  tier: number,
  askedMilli: number,
  openMilli: number,
): { readonly tier: number; readonly leftMilli: number } | null {
  let held = 0;
  let takeableBelow = 0;
  for (let at = 0; at < books.held.length; at++) {
    held += books.held[at]!;
    takeableBelow += books.takeable[at]!;
  }
  let unmet = 0;
  for (let above = 0; above < tier; above++) {
    takeableBelow -= books.takeable[above]!;
    const missing = Math.max(0, books.guaranteed[above]! - books.held[above]!);
    unmet += missing;
    const left = openMilli - held + takeableBelow - unmet;
    if (missing > 0 && askedMilli > left) return { tier: above, leftMilli: Math.max(0, left) };
  }
  return null;
}

/** Whether a job would stay within the guarantee of its tier. */
export function isGuaranteed(books: TierBooks, tier: number, askedMilli: number): boolean {
  return books.held[tier]! + askedMilli <= books.guaranteed[tier]!;
}
