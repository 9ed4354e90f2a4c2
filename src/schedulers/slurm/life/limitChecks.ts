/** `slurmctld` looks at time limits, graces and ended reservations every 30 s, counted from its start (`PERIODIC_TIMEOUT`). */
export const LIMIT_CHECK_MS = 30_000;

/** The first check after `nowMs`. */
export function nextCheckMs(controllerStartMs: number, nowMs: number): number {
  return checkFromMs(controllerStartMs, nowMs + 1);
}

/** The first check at or after `fromMs`. */
export function checkFromMs(controllerStartMs: number, fromMs: number): number {
  const checks = Math.ceil((fromMs - controllerStartMs) / LIMIT_CHECK_MS);
  return controllerStartMs + Math.max(1, checks) * LIMIT_CHECK_MS;
}
