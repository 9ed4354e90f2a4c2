/** The gates of the walk, asked in this order. */

import type { GatePart } from "../parts.ts";
import { arrayGate } from "./arrayGate.ts";
import { auctionGate } from "./auctionGate.ts";
import { limitsGate } from "./limitsGate.ts";
import { quotaGate } from "./quotaGate.ts";

export const GATES: readonly GatePart<unknown>[] = [
  arrayGate,
  limitsGate,
  quotaGate,
  auctionGate,
].map((gate) => gate as GatePart<unknown>);
