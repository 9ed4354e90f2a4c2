/**
 * How long to work between two checkpoints, from the cost of one (δ) and the mean time between failures of what the job holds (M):
 *
 *     Young  √(2δM)
 *     Daly   √(2δM) · (1 + ⅓√(δ/2M) + ⅑ δ/2M) − δ   for δ < 2M, else M
 *
 * Both are approximations of the interval that loses least; Daly's stays good where a checkpoint takes a noticeable part of M. Sources: Young 1974
 * (CACM 17:9), Daly 2006 (FGCS 22:3, eq. 37). Both assume failures without memory and checkpoints that never fail.
 */

/** Young's interval in ms; `Infinity` where nothing fails, 0 where a checkpoint costs nothing. */
export function youngMs(costMs: number, mtbfMs: number): number {
  return mtbfMs === Number.POSITIVE_INFINITY ? mtbfMs : Math.sqrt(2 * costMs * mtbfMs);
}

/** Daly's interval of higher order in ms; `Infinity` where nothing fails, 0 where a checkpoint costs nothing. */
export function dalyMs(costMs: number, mtbfMs: number): number {
  if (mtbfMs === Number.POSITIVE_INFINITY) return mtbfMs;
  if (costMs >= 2 * mtbfMs) return mtbfMs;
  const part = costMs / (2 * mtbfMs);
  return youngMs(costMs, mtbfMs) * (1 + Math.sqrt(part) / 3 + part / 9) - costMs;
}
