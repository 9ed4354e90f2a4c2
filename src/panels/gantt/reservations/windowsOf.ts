/** From reservations as they were made to the windows in which they hold their nodes: repeated ones again and again, up to their deletion. */
import type { KeptWindow } from "../../../model/lab/tenancy.ts";
import type { ReservationRow } from "../../../model/slurm/tables.ts";
import type { Intervention } from "../../../scenario/schema.ts";
import type { ReservedWindow } from "../../../store/reservations.ts";

const HOUR_MS = 3_600_000;
const PERIODS: Readonly<Record<string, number>> = {
  HOURLY: HOUR_MS,
  DAILY: 24 * HOUR_MS,
  WEEKLY: 7 * 24 * HOUR_MS,
};
/** Windows of one reservation that are shown. */
const WINDOWS_MOST = 100;

/** `madeAtMs`: when it was made; it ends with its deletion after that. `untilMs`: nothing later is shown. */
export function windowsOf(
  row: ReservationRow,
  madeAtMs: number,
  interventions: readonly Intervention[],
  untilMs: number,
): ReservedWindow[] {
  const goneMs = interventions.reduce(
    (first, change) =>
      change.kind === "unreserve" && change.name === row.name && change.atMs >= madeAtMs
        ? Math.min(first, change.atMs)
        : first,
    Number.POSITIVE_INFINITY,
  );
  const periodMs = row.flags.reduce((period, flag) => period || (PERIODS[flag] ?? 0), 0);
  const windows: ReservedWindow[] = [];
  for (let k = 0; k < (periodMs > 0 ? WINDOWS_MOST : 1); k++) {
    const startMs = row.startMs + k * periodMs;
    const endMs = Math.min(row.endMs + k * periodMs, goneMs);
    if (endMs <= startMs || (k > 0 && startMs > untilMs)) break;
    windows.push({ name: row.name, startMs, endMs, nodes: row.nodes, flags: row.flags });
  }
  return windows;
}

/** The occurrences of a window of the lab that begin before `untilMs`; none before its nodes are picked. */
export function labWindowsOf({ rule, nodes }: KeptWindow, untilMs: number): ReservedWindow[] {
  const windows: ReservedWindow[] = [];
  if (!nodes) return windows;
  const flags = rule.kind === "maintenance" ? ["MAINT"] : [];
  for (let k = 0; k < WINDOWS_MOST; k++) {
    const startMs = rule.startMs + (k === 0 ? 0 : k * rule.everyMs);
    if (!(startMs < untilMs)) break;
    windows.push({ name: rule.name, startMs, endMs: startMs + rule.durationMs, nodes, flags });
  }
  return windows;
}
