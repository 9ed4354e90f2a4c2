/**
 * Text on bars: measured once per font and string, shortened in a fixed order, never wider than its room. What does not fit in
 * any form is left out; a name in the middle of nothing is worse than none.
 */
const widths = new Map<string, Map<string, number>>();
const CACHE_MOST = 20_000;

/** Width of a text in the context's current font, in the context's units. */
export function textWidth(context: CanvasRenderingContext2D, text: string): number {
  return measurer(context)(text);
}

/** As `textWidth`, for as long as the context keeps its font: asking it for that costs more than looking a width up, so who has just set it says so. */
export function measurer(
  context: CanvasRenderingContext2D,
  font = context.font,
): (text: string) => number {
  const byText = widths.get(font) ?? new Map<string, number>();
  widths.set(font, byText);
  return (text) => {
    let width = byText.get(text);
    if (width === undefined) {
      if (byText.size > CACHE_MOST) byText.clear();
      width = context.measureText(text).width;
      byText.set(text, width);
    }
    return width;
  };
}

export interface JobLabel {
  readonly letter: string;
  readonly id: string;
  readonly name: string;
  /** A number, or the fewest and the most: "48–64". */
  readonly devices: number | string;
}

/** Ids of more letters are told apart by their ends: those of clusters that name jobs by 36 letters. */
const LONG_ID = 20;

/**
 * The longest form that fits: `T 271 diffusion · 128` → `T 271 · 128` → `T 271` → `271`; before the name goes it is shortened
 * in its middle, and so is a long id before it goes. Empty when nothing fits.
 */
export function fitLabel(label: JobLabel, room: number, measure: (text: string) => number): string {
  const { letter, id, name, devices } = label;
  const head = `${letter} ${id}`;
  if (name !== "") {
    const full = `${head} ${name} · ${devices}`;
    if (measure(full) <= room) return full;
    const least = 9;
    for (let keep = name.length - 1; keep >= least; keep--) {
      const text = `${head} ${middleCut(name, keep)} · ${devices}`;
      if (measure(text) <= room) return text;
    }
  }
  const shorter =
    id.length > LONG_ID
      ? [
          ...[17, 13, 9].map((keep) => `${letter} ${middleCut(id, keep)} · ${devices}`),
          `${letter} ${middleCut(id, 7)}`,
        ]
      : [head, id];
  for (const text of [`${head} · ${devices}`, ...shorter]) if (measure(text) <= room) return text;
  return "";
}

/** A text cut to `keep` characters, the middle replaced by an ellipsis: both ends of a name tell it from others. */
export function middleCut(text: string, keep: number): string {
  if (text.length <= keep) return text;
  const head = Math.ceil((keep - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (keep - 1 - head))}`;
}
