/**
 * KAI's Queue (`scheduling.run.ai/v2`) as plain values. Amounts of one queue by resource in the order GPU, CPU (1/1,000), memory (MiB); −1 = unlimited, and what is not given is 0, as upstream
 * has it: a queue without a limit field may use nothing.
 */
import type { ObjectName } from "./config.ts";

export interface KaiQueue extends ObjectName {
  readonly kind: "KaiQueue";
  /** "" = a top queue. */
  readonly parent: string;
  /** Higher first; 100 where nothing is said. */
  readonly priority: number;
  readonly quota: readonly number[];
  readonly limit: readonly number[];
  readonly overQuotaWeight: readonly number[];
  /** A run younger than this is no victim of preempt, of reclaim; null = as the queue above has it. */
  readonly preemptMinRuntimeMs: number | null;
  readonly reclaimMinRuntimeMs: number | null;
}
