/** Cuts tables of a long queue to what a person looks at: taking in hundreds of thousands of rows would hold up the page. */
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { PoolTables } from "../protocol/messages.ts";

export const ROWS_MOST = 5_000;

/** The jobs of highest priority, in that order; equal ones in order of submission. O(rows · log rows). */
export function foremost(tables: SlurmTables): PoolTables {
  const squeue = firstOf(tables.squeue);
  return {
    ...tables,
    squeue,
    sprio: firstOf(tables.sprio),
    pending: tables.squeue.length,
  };
}

function firstOf<T extends { readonly priority: number; readonly jobIdx: number }>(
  rows: readonly T[],
): T[] {
  return [...rows]
    .sort((a, b) => b.priority - a.priority || a.jobIdx - b.jobIdx)
    .slice(0, ROWS_MOST);
}
