/** A letter on the colour of its position (0 = first): the small square that stands for a tier in tables and cards. */
export interface LetterMarkProps {
  readonly letter: string;
  readonly position: number;
  readonly size?: "small" | "large";
}

export function LetterMark({ letter, position, size = "small" }: LetterMarkProps) {
  return (
    <span className={`letter letter-${size}`} data-position={Math.min(position, 5) + 1} aria-hidden>
      {letter}
    </span>
  );
}
