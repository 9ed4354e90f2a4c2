/**
 * What stands where a tier's lines leave room: who runs, and, when nobody waits, that nobody does and who is next. So a strip in which few ever wait says why
 * it is empty. At rest and while it plays it is the same few words on the side of the cursor that has more room; a run of very many rows has none.
 * O(rows that end after the cursor) once a cursor.
 */
import { upperBound } from "../../base/bisect.ts";
import { clockNear } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { measurer } from "../../render/labels.ts";
import type { Future } from "../../store/runData.ts";
import type { Palette } from "../../theme/palette.ts";
import { changesSize, heldDevices } from "../../timeline/heldDevices.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { xCssOf } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { askedWords } from "./askedWords.ts";
import { freeOfBand, type TierBand } from "./laneLayout.ts";
import type { NamesView } from "./laneNames.ts";

const ROWS_MOST = 20_000;
const LINE_CSS = 15;
const PAD_CSS = 6;

export interface TierMoment {
  /** Jobs that run, longest running first. */
  readonly running: readonly number[];
  /** What those of them that change their size hold, in devices. */
  readonly held: ReadonlyMap<number, number>;
  readonly waits: boolean;
  /** The next to wait after the cursor, −1 = nobody. */
  readonly nextIdx: number;
  readonly nextMs: number;
}

type Source = Pick<Future, "chunks" | "open">;

/** Each tier at a moment; null where the run has too many rows to look through. `lanes` = all lines of the run. */
export function momentOf(
  { chunks, open }: Source,
  lanes: WaitLanes,
  atMs: number,
  tierCount: number,
  tierOf: (jobIdx: number) => number,
): readonly TierMoment[] | null {
  const rows = chunks.reduce((sum, chunk) => sum + chunk.runs.jobIdx.length, 0);
  if (rows > ROWS_MOST || lanes.jobIdx.length > ROWS_MOST) return null;
  const startOf = new Map<number, number>();
  const note = (jobIdx: number, startMs: number) =>
    startOf.set(jobIdx, Math.min(startMs, startOf.get(jobIdx) ?? startMs));
  for (const { runs, toMs } of chunks) {
    if (toMs < atMs) continue;
    for (let row = upperBound(runs.endMs, atMs); row < runs.jobIdx.length; row++)
      if (runs.startMs[row]! <= atMs && runs.devices[row]! > 0)
        note(runs.jobIdx[row]!, runs.startMs[row]!);
  }
  if (open)
    for (let row = 0; row < open.rects.jobIdx.length; row++)
      if (open.rects.startMs[row]! <= atMs) note(open.rects.jobIdx[row]!, open.rects.startMs[row]!);
  // Who waits for the rest of its members does not run with those that it has.
  for (let row = 0; row < lanes.jobIdx.length; row++)
    if (lanes.fromMs[row]! <= atMs && atMs < lanes.toMs[row]!) startOf.delete(lanes.jobIdx[row]!);
  const found = [...startOf].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const held = new Map<number, number>();
  for (const [jobIdx] of found)
    if (changesSize({ chunks }, jobIdx)) {
      const size = heldDevices({ chunks, open }, jobIdx, atMs);
      if (size) held.set(jobIdx, size.most);
    }
  return Array.from({ length: tierCount }, (_, tier) => ({
    held,
    running: found.flatMap(([jobIdx]) => (tierOf(jobIdx) === tier ? [jobIdx] : [])),
    ...waitingOf(lanes, atMs, tier),
  }));
}

function waitingOf(
  lanes: WaitLanes,
  atMs: number,
  tier: number,
): Omit<TierMoment, "running" | "held"> {
  let waits = false;
  let nextIdx = -1;
  let nextMs = Number.POSITIVE_INFINITY;
  for (let row = 0; row < lanes.jobIdx.length; row++) {
    if (lanes.tier[row] !== tier) continue;
    const fromMs = lanes.fromMs[row]!;
    if (fromMs <= atMs && atMs < lanes.toMs[row]!) waits = true;
    else if (fromMs > atMs && fromMs < nextMs) [nextIdx, nextMs] = [lanes.jobIdx[row]!, fromMs];
  }
  return { waits, nextIdx, nextMs };
}

/** The lines to write: what runs, and who waits next where nobody does. */
export function momentWords(
  { running, held, waits, nextIdx, nextMs }: TierMoment,
  stage: Stage,
  atMs: number,
  calendar: string | undefined,
  fits: (text: string) => boolean,
): readonly string[] {
  const lines = [runningWords(running, held, stage, fits)];
  if (!waits)
    lines.push(
      nextIdx < 0
        ? "nobody waits from here on"
        : `nobody waits; the next to wait is ${jobLabel(stage.jobs, nextIdx)}, from ${clockNear(nextMs, atMs, calendar)}`,
    );
  return lines;
}

function runningWords(
  running: readonly number[],
  held: ReadonlyMap<number, number>,
  { jobs }: Stage,
  fits: (text: string) => boolean,
): string {
  if (running.length === 0) return "none of its jobs runs";
  const names = running.slice(0, 40).map((jobIdx) => {
    const id = nameOf(jobs.ids, jobIdx);
    return `${id} · ${held.get(jobIdx) ?? askedWords(jobs, jobIdx)}`;
  });
  for (let told = names.length; told > 0; told--) {
    const more = running.length - told;
    const text = `running: ${names.slice(0, told).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    if (fits(text)) return text;
  }
  return `running: ${running.length}`;
}

interface RoomView extends NamesView {
  readonly calendar: string | undefined;
  readonly knownMs: number;
}

interface Lines {
  /** All lines of the run. */
  readonly lanes: WaitLanes;
  readonly bands: readonly TierBand[];
  readonly tierOf: (jobIdx: number) => number;
}

/** Keeps the last moment: the same picture is drawn again and again while nothing but the pointer moves. */
export class LaneRoom {
  #last: {
    readonly future: Source;
    readonly lanes: WaitLanes;
    readonly atMs: number;
    readonly tiers: readonly TierMoment[] | null;
  } | null = null;

  draw(
    context: CanvasRenderingContext2D,
    palette: Palette,
    view: RoomView,
    lines: Lines,
    { current, stage }: { readonly current: Source; readonly stage: Stage | null },
  ): void {
    const { lanes, bands, tierOf } = lines;
    const { cursorMs: atMs, knownMs } = view;
    if (!stage || !lanes.packed || atMs > knownMs) return;
    if (this.#last?.future !== current || this.#last.lanes !== lanes || this.#last.atMs !== atMs) {
      const tiers = momentOf(current, lanes, atMs, bands.length, tierOf);
      this.#last = { future: current, lanes, atMs, tiers };
    }
    if (this.#last.tiers) drawMoments(context, palette, this.#last.tiers, lines, view, stage);
  }
}

function drawMoments(
  context: CanvasRenderingContext2D,
  palette: Palette,
  moments: readonly TierMoment[],
  { lanes, bands }: Lines,
  { window, widthCss, cursorMs, calendar }: RoomView,
  stage: Stage,
): void {
  const { u } = palette;
  context.font = `${11 * u}px ${palette.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = palette.ink2;
  const measure = measurer(context);
  const cursorX = Math.min(widthCss, Math.max(0, xCssOf(cursorMs, window, widthCss)));
  const isBefore = cursorX > widthCss / 2;
  const left = PAD_CSS + (isBefore ? 0 : cursorX);
  const room = (isBefore ? cursorX : widthCss) - PAD_CSS - left;
  const fits = (text: string) => measure(text) <= room;
  moments.forEach((moment, tier) => {
    const band = bands[tier];
    if (band?.mode !== "lanes" || band.heightCss === 0) return;
    const { topCss, heightCss } = freeOfBand(band, lanes.lanesOfTier[tier] ?? 0);
    const words = momentWords(moment, stage, cursorMs, calendar, fits);
    if (heightCss < words.length * LINE_CSS * u + PAD_CSS) return;
    words.forEach((line, i) => {
      if (fits(line)) context.fillText(line, left, topCss + PAD_CSS + (i + 0.5) * LINE_CSS * u);
    });
  });
}
