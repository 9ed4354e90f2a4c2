/** The gutter's painter: the cluster at the cursor on the rows of the Gantt, or the groups whose lanes the rows are. It paints when what it shows has changed. */
import type { PlotCanvas } from "../../render/plotCanvas.ts";
import { paintTopology } from "../../render/topologyPainter.ts";
import { planOverlay } from "../../store/planOverlay.ts";
import { useApp } from "../../store/store.ts";
import { palette } from "../../theme/palette.ts";
import type { GanttView } from "./basePainter.ts";
import type { GroupView } from "./ganttPainter.ts";
import { type GutterWords, gutterWords } from "./gutterWords.ts";
import type { GanttScene } from "./scene.ts";
import { TopologyState } from "./topologyState.ts";

export class GutterPainter {
  readonly #scene: GanttScene;
  #topology: TopologyState | null = null;
  #key = "";

  constructor(scene: GanttScene) {
    this.#scene = scene;
  }

  /** What the map shows at a unit and block; null before the first frame. */
  words(cursorMs: number, unit: number, block: number): GutterWords | null {
    const { units, history } = this.#scene;
    if (!this.#topology || !units) return null;
    const words = gutterWords(this.#topology, units, unit, block);
    const node = units.unitNode[unit];
    const more = node === undefined ? [] : history?.nodeWords(node, cursorMs);
    return words && more ? { ...words, lines: [...more, ...words.lines] } : words;
  }

  #paintGroups(
    canvas: PlotCanvas,
    view: GanttView,
    rows: string,
    groups: GroupView | null,
    force: boolean,
  ): void {
    const key = `groups ${view.cursorMs} ${this.#scene.version} ${view.scrollDev} ${rows}`;
    if (!force && key === this.#key) return;
    this.#key = key;
    const context = canvas.begin();
    if (context) groups?.paintGutter(context, view, canvas.widthCss);
  }

  /** `rows` names how rows lie; nothing is painted while nothing has changed, unless `force`. */
  paint(
    canvas: PlotCanvas,
    view: GanttView,
    rows: string,
    groups: GroupView | null,
    force: boolean,
  ): void {
    const { stage, units } = this.#scene;
    if (!stage || !units) return;
    if (units.groups) {
      this.#paintGroups(canvas, view, rows, groups, force);
      return;
    }
    if (!this.#topology || this.#topology.units !== units)
      this.#topology = new TopologyState(stage.cluster, units);
    const plan = planOverlay();
    const key = `${view.cursorMs} ${this.#scene.version} ${view.scrollDev} ${rows} ${plan?.jobIdx ?? -1} ${plan?.plannedMs ?? 0}`;
    if (!force && key === this.#key) return;
    this.#key = key;
    const context = canvas.begin();
    if (!context) return;
    this.#topology.read(this.#scene, view.cursorMs);
    const planned = new Uint8Array(units.unitCount);
    if (plan && isSelected(plan.jobIdx)) {
      const nodes = new Set(plan.nodes);
      units.unitNode.forEach((node, u) => {
        if (nodes.has(node)) planned[u] = 1;
      });
    }
    const {
      positionOfDevice,
      heldOfDevice,
      slices,
      closedUnit,
      failedDevice,
      unitLink,
      blockLink,
      unitLabels,
      unitPools,
      nvswitchUnit,
      workWaits,
    } = this.#topology;
    paintTopology(
      context,
      {
        layout: view.layout,
        ratio: view.ratio,
        scrollDev: view.scrollDev,
        widthCss: canvas.widthCss,
        heightCss: canvas.heightCss,
        positionOfDevice,
        heldOfDevice,
        slices,
        closedUnit,
        failedDevice,
        unitLink,
        blockLink,
        unitLabels,
        unitPools,
        nvswitchUnit,
        plannedUnit: planned,
        workWaits,
      },
      palette(),
    );
  }
}

function isSelected(jobIdx: number): boolean {
  const { selection } = useApp.getState();
  return selection?.kind === "job" && selection.jobIdx === jobIdx;
}
