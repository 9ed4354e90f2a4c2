/** What a team holds beside its quota, as stretches of a bar: of its own, borrowed beyond it, lent to others, idle. */
import { amountText } from "../../../base/format.ts";
import type { ShareRow } from "../../../model/lab/shares.ts";

/** `beyond`: more than its due, under books that know no borrowing. */
export type QuotaKind = "own" | "idle" | "lent" | "borrowed" | "beyond";

export interface QuotaPart {
  readonly kind: QuotaKind;
  readonly from: number;
  readonly to: number;
}

export type Held = Pick<ShareRow, "gpusDue" | "gpusHeld" | "gpusBorrowed" | "gpusLent">;

/** Stretches that are not empty, from left to right; none where the books have no quota. */
export function quotaParts({ gpusDue, gpusHeld, gpusBorrowed, gpusLent }: Held): QuotaPart[] {
  if (!Number.isFinite(gpusDue) || !Number.isFinite(gpusHeld)) return [];
  const borrowed = Number.isFinite(gpusBorrowed) ? gpusBorrowed : Math.max(0, gpusHeld - gpusDue);
  const own = Math.max(0, Math.min(gpusHeld - borrowed, gpusDue));
  const lent = Number.isFinite(gpusLent) ? Math.min(gpusLent, gpusDue - own) : 0;
  const parts: QuotaPart[] = [
    { kind: "own", from: 0, to: own },
    { kind: "idle", from: own, to: gpusDue - lent },
    { kind: "lent", from: gpusDue - lent, to: gpusDue },
    {
      kind: Number.isFinite(gpusBorrowed) ? "borrowed" : "beyond",
      from: gpusDue,
      to: gpusDue + borrowed,
    },
  ];
  return parts.filter(({ from, to }) => to > from);
}

/** Where the longest bar ends. */
export function quotaScale(rows: readonly Held[]): number {
  return rows.reduce((most, row) => Math.max(most, quotaParts(row).at(-1)?.to ?? 0), 1);
}

const WORDS: Readonly<Record<QuotaKind, string>> = {
  own: "of its own in use",
  idle: "of its own idle",
  lent: "lent",
  borrowed: "borrowed",
  beyond: "beyond what is due",
};

/** "32 of its own in use, 24 borrowed; quota 32". */
export function quotaWords(row: Held): string {
  const parts = quotaParts(row);
  if (parts.length === 0) return "–";
  const list = parts
    .map(({ kind, from, to }) => `${amountText(to - from)} ${WORDS[kind]}`)
    .join(", ");
  const due = Number.isFinite(row.gpusBorrowed) ? "quota" : "due";
  return `${list}; ${due} ${amountText(row.gpusDue)}`;
}
