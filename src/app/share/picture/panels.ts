/** The panels of the page that can be pictured: whatever has a canvas and is shown, found by `data-panel`. */
import { useApp } from "../../../store/store.ts";

const WORDS: Readonly<Record<string, string>> = {
  sheet: "Whole sheet",
  gantt: "Gantt",
  queues: "Queues",
  curves: "Curves",
  gauges: "Gauges",
  passes: "Passes",
  map: "Map",
  topology: "Cluster at the cursor",
  drawer: "Table",
  waiting: "Where waiting comes from",
  futures: "Futures side by side",
};
/** They are parts of the others. */
const PARTS = new Set(["axis", "minimap"]);

export interface PicturePanel {
  readonly id: string;
  readonly label: string;
}

export function picturePanels(): readonly PicturePanel[] {
  const found = [...document.querySelectorAll<HTMLElement>("[data-panel]")]
    .filter((element) => !PARTS.has(element.dataset.panel ?? "") && isPictured(element))
    .map((element) => element.dataset.panel ?? "");
  const ids = document.querySelector("main.sheet") ? ["sheet", ...found] : found;
  return [...new Set(ids)].map((id) => ({ id, label: wordsOf(id) }));
}

/** Of the drawers only one has pictures. */
function wordsOf(id: string): string {
  const { drawer } = useApp.getState();
  const name = id === "drawer" && drawer === "waiting" ? drawer : id;
  return WORDS[name] ?? capital(name);
}

/** What is drawn for a panel, from above: strips of the sheet stand under the time axis. */
export function panelElements(id: string): readonly Element[] {
  if (id === "sheet") return [...document.querySelectorAll("main.sheet")];
  const panel = document.querySelector(`[data-panel="${CSS.escape(id)}"]`);
  if (!panel) return [];
  const axis = panel.closest("main.sheet")?.querySelector('[data-panel="axis"]');
  return axis ? [axis, panel] : [panel];
}

function isPictured(element: HTMLElement): boolean {
  const canvas = element.querySelector("canvas");
  return canvas !== null && canvas.clientWidth > 0 && canvas.clientHeight > 0;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
