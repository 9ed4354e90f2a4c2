const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How long ago in one unit: "just now", "5 min ago", "yesterday"; from a month on the date. */
export function agoText(atMs: number, nowMs: number): string {
  const agoMs = Math.max(0, nowMs - atMs);
  if (agoMs < MINUTE_MS) return "just now";
  if (agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)}\u00a0min ago`;
  if (agoMs < DAY_MS) return `${Math.floor(agoMs / HOUR_MS)}\u00a0h ago`;
  if (agoMs < 2 * DAY_MS) return "yesterday";
  if (agoMs < 30 * DAY_MS) return `${Math.floor(agoMs / DAY_MS)}\u00a0days ago`;
  return new Date(atMs).toISOString().slice(0, 10);
}
