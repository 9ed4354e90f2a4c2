/** The gates of the walk, asked in this order. */
import { limitsGate } from "./limitsGate.ts";
import type { GatePart } from "./parts.ts";
import { quotaGate } from "./quotaGate.ts";

export const GATES: readonly GatePart<unknown>[] = [limitsGate, quotaGate].map(
  (gate) => gate as GatePart<unknown>,
);
