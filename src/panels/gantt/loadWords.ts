/** What the Gantt says where load is drawn instead of bars: the note in the panel, and who held how much under the pointer. */
import { clockNear, clockText, countText, NBSP, numberText } from "../../base/format.ts";
import { type GroupLoad, meanOver } from "../../timeline/groupLoad.ts";
import { drawnBinMs } from "../../timeline/heat.ts";
import { loadAt } from "../../timeline/loadAt.ts";
import { timeMsOfPixel } from "../../timeline/pixelScale.ts";
import { Level } from "../../timeline/rows.ts";
import { rowsOfBlock } from "../../timeline/rowUnits.ts";
import type { TipLines } from "./barWords.ts";
import { type GanttView, LOAD_BIN_CSS } from "./basePainter.ts";
import type { GanttScene } from "./scene.ts";

/** The note in the panel: of `open` blocks, `asLoad` have too many bars. Empty where all bars are drawn. */
export function loadNote(open: number, asLoad: number): string {
  if (asLoad === 0) return "";
  return asLoad === open
    ? "Too many bars for this zoom: drawn as load. Zoom in for bars."
    : "Some rows have too many bars for this zoom: drawn as load. Zoom in for bars.";
}

/** The tooltip over a block's load at a pixel of the plot. O(rectangles of the block in one bin). */
export function loadTip(
  scene: GanttScene,
  view: GanttView,
  block: number,
  xDev: number,
  calendar: string | undefined,
): TipLines {
  const { units, level } = view.layout;
  const count = rowsOfBlock(units, block);
  const { cluster, tiers } = scene.stage!;
  const name = units.blockNames[block]!;
  const title = `${name === "" ? "" : `${name}, `}${countText(count, units.groups ? "row" : cluster.deviceWord)}`;
  const way =
    level[block] === Level.far
      ? "V opens it."
      : "Too many bars: zoom in for them, or V shows them.";
  const atMs = timeMsOfPixel(Math.floor(xDev), view.scale);
  const { knownMs } = scene.future;
  if (!scene.heat || !scene.index || atMs < 0 || atMs >= knownMs) return { title, lines: [way] };
  const binMs = drawnBinMs(view.scale.pxPerMs, LOAD_BIN_CSS * Math.max(1, Math.round(view.ratio)));
  const bin = loadAt(
    scene.heat,
    scene.index.parts,
    block,
    binMs,
    Math.floor(atMs / binMs),
    knownMs,
    scene.positionOfJob,
  );
  const load = scene.lanes?.load?.[block];
  const what = load
    ? loadWords(load, bin.fromMs, bin.toMs, cluster.deviceWord)
    : `${percent(bin.share)} ${units.groups ? "in use" : "held"}`;
  const held = `${what} by ${countText(bin.jobCount, "job")}, ${clockText(bin.fromMs, calendar)} to ${clockNear(bin.toMs, bin.fromMs, calendar)}`;
  const byTier = (load ? [] : bin.shares).flatMap((share, position) =>
    share > 0 && tiers.length <= 6 ? [`${tiers[position]?.letter ?? ""} ${percent(share)}`] : [],
  );
  return { title, lines: [held, ...(byTier.length > 1 ? [byTier.join(" · ")] : []), way] };
}

/** "12.5 GPUs of 16 due held": of a folded team or tier. */
function loadWords({ held, due }: GroupLoad, fromMs: number, toMs: number, word: string): string {
  const amount = (steps: GroupLoad["held"]) => Math.round(10 * meanOver(steps, fromMs, toMs)) / 10;
  const has = `${numberText(amount(held), Number.isInteger(amount(held)) ? 0 : 1)}${NBSP}${word}s held`;
  return due ? `${has}, ${numberText(amount(due), 0)} due;` : has;
}

function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 1 ? "under 1" : Math.round(value)}${NBSP}%`;
}
