/** A letter on the colour of its tier, which is the colour of its bars: the small square that stands for a tier in tables and cards. */
import { positionOfTier } from "../theme/palette.ts";

export interface LetterMarkProps {
  readonly letter: string;
  /** 0 = highest. */
  readonly tier: number;
  readonly tierCount: number;
  readonly size?: "small" | "large";
}

export function LetterMark({ letter, tier, tierCount, size = "small" }: LetterMarkProps) {
  return (
    <span
      className={`letter letter-${size}`}
      data-position={positionOfTier(tier, tierCount) + 1}
      aria-hidden
    >
      {letter}
    </span>
  );
}
