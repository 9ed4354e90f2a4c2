/**
 * The resolved palette: what canvases draw with. It is built once per theme change from the tokens, so no painter ever asks
 * the style engine for a colour. Hues belong to tier positions: the first four have one, the next two are neutral with a
 * hatch, and with more than six tiers the colour shows the group of the tier.
 */
import { labelInkOn, luminance, mix, palestMark, parseColour } from "./colour.ts";

export interface TierColours {
  /** A bar that is running: solid. */
  readonly full: string;
  /** A bar not yet played: pale fill under a thin edge of `full`. */
  readonly pencil: string;
  /** The ground under a hatch of lost work. */
  readonly pale: string;
  /** Palest tint with 3 : 1 on the sheet: edges of heat, bars of one or two pixels. */
  readonly mark: string;
  /** Heat of the future, under an edge of `mark`. */
  readonly heat: string;
  /** Text on `full`. */
  readonly label: string;
  /** Neutral positions carry a hatch: 0 none, 1 rising, 2 falling; drawn in `label`. */
  readonly hatch: 0 | 1 | 2;
}

export interface Palette {
  readonly dark: boolean;
  readonly bg: string;
  readonly raise: string;
  readonly press: string;
  readonly line: string;
  readonly line2: string;
  readonly rule: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly signal: string;
  readonly idle: string;
  readonly idleDot: string;
  /** The idle ground right of the cursor. */
  readonly idlePencil: string;
  readonly stripe: string;
  readonly mark: string;
  /** Areas of demand in the minimap and curves: what is held, what waits. */
  readonly heldArea: string;
  readonly waitArea: string;
  /** GPUs held in a folded leaf of the gutter. */
  readonly heldCell: string;
  /** By tier position 0…5; use `tierColours` for a tier. */
  readonly positions: readonly TierColours[];
  /** Families for `context.font`. */
  readonly font: string;
  readonly mono: string;
  /** Scale of type and spacing: 1 at a desk. */
  readonly u: number;
}

/** Builds a palette from a reader of tokens (`--bg` → a colour). Pure: tests pass the tokens of a file. */
export function buildPalette(read: (token: string) => string): Palette {
  const bg = read("--bg");
  const ink = read("--ink");
  const dark = luminance(parseColour(bg)) < 0.2;
  const signal = read("--signal");
  const idle = read("--idle");
  const hues = ["--tier1", "--tier2", "--tier3", "--tier4"].map((token) => read(token));
  const neutrals = [mix(ink, bg, 0.72), mix(ink, bg, 0.5)];
  return {
    dark,
    bg,
    ink,
    signal,
    idle,
    raise: read("--raise"),
    press: read("--press"),
    line: read("--line"),
    line2: read("--line2"),
    rule: read("--rule"),
    ink2: read("--ink2"),
    ink3: read("--ink3"),
    idleDot: read("--idle-dot"),
    idlePencil: mix(idle, bg, 0.7),
    stripe: read("--stripe"),
    mark: read("--mark"),
    heldArea: mix(ink, bg, dark ? 0.3 : 0.22),
    waitArea: mix(signal, bg, dark ? 0.42 : 0.34),
    heldCell: mix(ink, bg, 0.45),
    positions: [...hues, ...neutrals].map((full, position) => ({
      full,
      pencil: mix(full, bg, dark ? 0.26 : 0.16),
      pale: mix(full, bg, 0.25),
      mark: palestMark(full, bg),
      heat: mix(full, bg, 0.34),
      label: labelInkOn(full),
      hatch: position === 4 ? 1 : position === 5 ? 2 : 0,
    })),
    font: read("--font"),
    mono: read("--mono"),
    u: Number(read("--u")) || 1,
  };
}

/** Positions that have colours. */
const POSITIONS = 6;

/** The position 0…5 of tier `tier` (0 = highest) of `tierCount`: with more than six tiers neighbours share one. */
export function positionOfTier(tier: number, tierCount: number): number {
  return Math.min(
    POSITIONS - 1,
    tierCount <= POSITIONS ? tier : Math.floor((tier * POSITIONS) / tierCount),
  );
}

/** The colours of tier `tier` (0 = highest) of `tierCount`. */
export function tierColours(palette: Palette, tier: number, tierCount: number): TierColours {
  return palette.positions[positionOfTier(tier, tierCount)]!;
}

let current: Palette | null = null;
const listeners = new Set<(palette: Palette) => void>();

/** The palette of the theme that is shown. Cheap: the same object until the theme changes. */
export function palette(): Palette {
  current ??= buildPalette(readTokens());
  return current;
}

/** Called after each theme change; returns the unsubscriber. */
export function onPalette(listener: (palette: Palette) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the tokens again and tells everybody. Called by `applyTheme` only. */
export function refreshPalette(): void {
  current = buildPalette(readTokens());
  for (const listener of listeners) listener(current);
}

/** Token → value. Colours go through a probe, so that system colours of a forced-colours theme resolve as well. */
function readTokens(): (token: string) => string {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");
  probe.style.display = "none";
  // System colours are in the tokens; hues and grounds keep their own, or all of them would be one colour.
  probe.style.setProperty("forced-color-adjust", "none");
  document.body.append(probe);
  const values = new Map<string, string>();
  for (const token of COLOUR_TOKENS) {
    probe.style.color = `var(${token})`;
    values.set(token, getComputedStyle(probe).color);
  }
  probe.remove();
  return (token) => values.get(token) ?? style.getPropertyValue(token).trim();
}

const COLOUR_TOKENS = [
  "--bg",
  "--raise",
  "--press",
  "--line",
  "--line2",
  "--rule",
  "--ink",
  "--ink2",
  "--ink3",
  "--tier1",
  "--tier2",
  "--tier3",
  "--tier4",
  "--signal",
  "--idle",
  "--idle-dot",
  "--stripe",
  "--mark",
] as const;
