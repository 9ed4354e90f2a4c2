/**
 * Arithmetic on sRGB colours: mixing and WCAG contrast. Everything derived from the tokens (pencil, pale, label ink) is
 * computed here, so that a token changed in `tokens.css` carries through to every canvas.
 */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Reads `#rgb`, `#rrggbb`, `rgb(…)` and `rgba(…)`, which is all that computed styles hand out. Unknown text is black. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const value = Number.parseInt(wide, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text.trim());
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : [0, 0, 0];
}

function hexOf(colour: Rgb): string {
  const digits = colour.map((part) => Math.round(part).toString(16).padStart(2, "0"));
  return `#${digits.join("")}`;
}

/** `share` of `over` on the rest of `under`, in sRGB, as hex. */
export function mix(over: string, under: string, share: number): string {
  const a = parseColour(over);
  const b = parseColour(under);
  return hexOf([
    a[0] * share + b[0] * (1 - share),
    a[1] * share + b[1] * (1 - share),
    a[2] * share + b[2] * (1 - share),
  ]);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Relative luminance, WCAG 2.2. */
export function luminance(colour: Rgb): number {
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

/** Contrast ratio of two colours, 1 to 21. */
export function contrast(first: string, second: string): number {
  const a = luminance(parseColour(first));
  const b = luminance(parseColour(second));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The palest mix of a colour with its ground that still reaches 3 : 1 on it: for marks of one or two pixels. */
export function palestMark(colour: string, ground: string): string {
  for (let share = 0.4; share < 1; share += 0.02) {
    const candidate = mix(colour, ground, share);
    if (contrast(candidate, ground) >= 3) return candidate;
  }
  return colour;
}

/** Black or white, whichever reads better on the fill. */
export function labelInkOn(fill: string): string {
  return contrast("#000000", fill) >= contrast("#ffffff", fill) ? "#000000" : "#ffffff";
}
