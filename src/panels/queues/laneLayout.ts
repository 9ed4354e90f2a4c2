/**
 * How the height of the queue strip is shared: every tier keeps at least a row of text; what is left goes to the tiers by the
 * lanes they need, as wide as they may be, and then to all alike, so that no part of the strip is empty. A tier whose lanes would
 * be thinner than one pixel is drawn as density.
 */
export interface TierBand {
  readonly topCss: number;
  readonly heightCss: number;
  readonly pitchCss: number;
  readonly mode: "lanes" | "density";
}

const ROW_CSS = 17;
/** Wider ones only fill what would be empty. */
const PITCH_CSS = 6;
const WIDEST_PITCH_CSS = 18;
const PAD_CSS = 2;

/** The band of a tier without jobs: no height, and nothing in it that could be too much. */
const NO_BAND: TierBand = {
  topCss: 0,
  heightCss: 0,
  pitchCss: WIDEST_PITCH_CSS,
  mode: "lanes",
};

/**
 * `lanes` = lanes that each tier needs (most jobs waiting at once); `packed` = their positions are known; `used` = 0 for tiers that have no
 * lane at all (`NO_BAND`); a tier that it does not name has one. O(tiers).
 */
export function layBands(
  heightCss: number,
  lanes: ArrayLike<number>,
  packed: boolean,
  used: ArrayLike<number> = [],
): TierBand[] {
  const shown = (tier: number) => used[tier] !== 0;
  const tiers = Array.from({ length: lanes.length }, (_, tier) => shown(tier)).filter(
    Boolean,
  ).length;
  const least = Math.min(ROW_CSS, heightCss / Math.max(1, tiers));
  const extra = Array.from({ length: lanes.length }, (_, tier) =>
    shown(tier) ? Math.max(0, lanes[tier]! * PITCH_CSS + PAD_CSS * 2 - least) : 0,
  );
  const wanted = extra.reduce((total, value) => total + value, 0);
  const spare = Math.max(0, heightCss - least * tiers);
  const scale = wanted > spare ? spare / wanted : 1;
  const more = Math.max(0, spare - wanted) / Math.max(1, tiers);
  let top = 0;
  return extra.map((value, tier) => {
    if (!shown(tier)) return { ...NO_BAND, topCss: top };
    const bandCss = least + value * scale + more;
    const pitchCss = Math.min(
      WIDEST_PITCH_CSS,
      (bandCss - 2 * PAD_CSS) / Math.max(1, lanes[tier]!),
    );
    const band: TierBand = {
      topCss: top,
      heightCss: bandCss,
      pitchCss,
      mode: packed && pitchCss >= 1 ? "lanes" : "density",
    };
    top += bandCss;
    return band;
  });
}

/** The same bands with lanes as close as this many lanes a tier make them: heights stay, so that the gutter's rows do too. */
export function withLanes(
  bands: readonly TierBand[],
  lanes: ArrayLike<number>,
  packed: boolean,
): TierBand[] {
  return bands.map((band, tier) => {
    if (band.heightCss === 0) return band;
    const pitchCss = Math.min(
      WIDEST_PITCH_CSS,
      (band.heightCss - 2 * PAD_CSS) / Math.max(1, lanes[tier] ?? 0),
    );
    return { ...band, pitchCss, mode: packed && pitchCss >= 1 ? "lanes" : "density" };
  });
}

/** Top of a lane inside the strip. */
export function laneTopCss(band: TierBand, lane: number): number {
  return band.topCss + PAD_CSS + lane * band.pitchCss;
}

/** What a band has below its lanes. */
export function freeOfBand(
  band: TierBand,
  lanes: number,
): { readonly topCss: number; readonly heightCss: number } {
  const topCss = laneTopCss(band, lanes);
  return { topCss, heightCss: Math.max(0, band.topCss + band.heightCss - PAD_CSS - topCss) };
}

/** The lane below a point of a band, or −1. */
export function laneAt(band: TierBand, yCss: number): number {
  const lane = Math.floor((yCss - band.topCss - PAD_CSS) / band.pitchCss);
  return lane >= 0 ? lane : -1;
}
