/** The lanes of the Gantt by team, tier or job: made from the record in slices, laid out, named. */
import { countText } from "../../../base/format.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Chunk } from "../../../record/shapes.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import {
  heldByBlock,
  type LaneGrouping,
  type LaneRows,
  LaneWork,
} from "../../../timeline/jobRows.ts";
import { layoutLanes } from "../../../timeline/laneLayout.ts";
import type { LayoutWish, RowLayout } from "../../../timeline/rows.ts";
import { type RowUnits, rowsOfBlock } from "../../../timeline/rowUnits.ts";
import type { GanttView } from "../basePainter.ts";
import type { GroupView } from "../ganttPainter.ts";
import type { GutterWords } from "../gutterWords.ts";
import { paintGroupGutter } from "./groupGutter.ts";

type Held = ReturnType<typeof heldByBlock>;

export class GroupLanes implements GroupView {
  readonly #work: LaneWork;
  #stage: Stage | null = null;
  #future: Future | null = null;
  #held: {
    readonly units: RowUnits;
    readonly future: Future;
    readonly atMs: number;
    readonly held: Held;
  } | null = null;

  constructor(by: LaneGrouping) {
    this.#work = new LaneWork(by);
  }

  get rows(): LaneRows | null {
    return this.#work.rows;
  }

  update(stage: Stage, future: Future, positionOfJob: Uint8Array): void {
    if (stage !== this.#stage) this.#work.forget();
    this.#stage = stage;
    this.#future = future;
    const infos =
      this.#work.by === "team" ? stage.teams : this.#work.by === "tier" ? stage.tiers : [];
    this.#work.update({
      jobs: stage.jobs,
      names: infos.map((info) => info.name || info.id),
      chunks: future.chunks,
      open: future.open,
      endMs: Math.max(future.endMs, future.knownMs),
      positionOfJob,
      world: stage,
    });
  }

  step(steps: number): boolean {
    return this.#work.step(steps);
  }

  layout(units: RowUnits, wish: LayoutWish): RowLayout {
    return layoutLanes(units, wish);
  }

  paintGutter(context: CanvasRenderingContext2D, view: GanttView, widthCss: number): void {
    if (this.#stage && view.layout.units.groups)
      paintGroupGutter(context, view, widthCss, this.#stage, this.#heldAt(view));
  }

  words(view: GanttView, block: number): GutterWords | null {
    const { units } = view.layout;
    if (block < 0 || !units.groups || !this.#stage) return null;
    const { devices, jobs } = this.#heldAt(view);
    const word = this.#stage.cluster.deviceWord;
    const held = Math.round(devices[block]! * 10) / 10;
    const folds = units.groups.by === "job" ? "these jobs" : "it";
    return {
      title: this.#groupName(units, block),
      lines: [
        `${countText(held, word)} held by ${countText(jobs[block]!, "job")} at the cursor.`,
        `At most ${countText(rowsOfBlock(units, block), "job")} of it ran at once.`,
        `A click folds or opens ${folds}.`,
      ].filter((_, line) => line !== 1 || units.groups?.by !== "job"),
    };
  }

  /** The first job that runs at the cursor; −1 = none. O(rectangles that end later). */
  firstAt(): number {
    const { cursorMs } = useApp.getState();
    let first = -1;
    const read = ({ startMs, endMs, jobIdx }: Chunk["rects"]): void => {
      for (let i = 0; i < jobIdx.length; i++)
        if (startMs[i]! <= cursorMs && endMs[i]! > cursorMs && (first < 0 || jobIdx[i]! < first))
          first = jobIdx[i]!;
    };
    for (const chunk of this.#future?.chunks ?? []) if (chunk.toMs >= cursorMs) read(chunk.rects);
    if (this.#future?.open) read(this.#future.open.rects);
    return first;
  }

  rowName(unit: number): string {
    const units = this.rows?.units;
    return units?.groups && units.groups.by !== "job"
      ? this.#groupName(units, units.blockOfUnit[unit]!)
      : "";
  }

  #groupName(units: RowUnits, block: number): string {
    const name = units.blockNames[block]!;
    switch (units.groups?.by) {
      case "team":
        return `Team ${name}`;
      case "tier":
        return `Tier ${name}`;
      default: {
        const first = units.groups!.ofBlock[block]!;
        const jobs = this.#stage!.jobs;
        const last = Math.min(jobs.count, first + rowsOfBlock(units, block)) - 1;
        return `Jobs ${jobLabel(jobs, first)} to ${jobLabel(jobs, last)}`;
      }
    }
  }

  #heldAt({ layout, cursorMs }: GanttView): Held {
    const future = this.#future!;
    const last = this.#held;
    if (last?.units === layout.units && last.future === future && last.atMs === cursorMs)
      return last.held;
    const { jobs } = this.#stage!;
    const held = heldByBlock(
      layout.units,
      { jobs, chunks: future.chunks, open: future.open },
      cursorMs,
    );
    this.#held = { units: layout.units, future, atMs: cursorMs, held };
    return held;
  }
}
