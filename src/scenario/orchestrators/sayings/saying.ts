/** A sentence that is often repeated and wrong, with a small world that shows what is so instead, or with the reason why no run can. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { PolicyInput, Source, World } from "../cell.ts";

export interface Saying {
  readonly id: string;
  readonly claim: string;
  readonly truth: string;
  /** What is seen, of the jobs of its world. */
  readonly look: string;
  readonly world: World;
  readonly policy: PolicyInput;
  readonly openAt: { readonly cursorMs: number; readonly select: string };
  readonly source: Source;
}

/** One that a schedule cannot show. */
export interface UnshownSaying {
  readonly id: string;
  readonly claim: string;
  readonly truth: string;
  /** Why no run of this page shows it. */
  readonly whyNot: string;
  readonly source: Source;
}

/** Opens a world at a minute, with one of its jobs selected. */
export const openAtMin = (min: number, select: string) => ({ cursorMs: min * MINUTE_MS, select });
