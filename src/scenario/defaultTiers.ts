/** The tiers of a document that names none. */
import type { JobKind } from "../model/jobs.ts";

interface DefaultTier {
  readonly id: string;
  readonly name: string;
  readonly letter: string;
  readonly kinds?: JobKind[];
}

/**
 * Critical: real-time inference, production training. High: fine-tuning against a deadline, important experiments. Normal: development training,
 * evaluation. Low: exploration, spot-like work, CI. `kinds` sorts jobs that name no tier.
 */
export const DEFAULT_TIERS: DefaultTier[] = [
  { id: "critical", name: "Critical", letter: "C", kinds: ["inference"] },
  { id: "high", name: "High", letter: "H" },
  { id: "normal", name: "Normal", letter: "N", kinds: ["training", "interactive", "batch"] },
  { id: "low", name: "Low", letter: "L", kinds: ["ci"] },
];
