/**
 * `T`: the table twin of the panel that has the focus, put away by the same key. The focus goes into the table and, from there, back to the panel, so that
 * it is never lost with what gives way. With no panel in focus it is the table of waiting jobs, which is asked for most.
 */
import { define } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import type { AppState, PanelId } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { focusPlacesSoon, showDrawer, showPanel } from "../layers.ts";

type Drawer = AppState["drawer"];

/** By `data-panel`. */
const TWINS: Readonly<Record<string, Drawer>> = {
  gantt: "ganttTable",
  axis: "ganttTable",
  queues: "queueTable",
  passes: "queueTable",
  gauges: "queueTable",
  curves: "curves",
  minimap: "curves",
  map: "map",
};

/** Where the focus goes when a table is put away; the Gantt for all others. */
const PANELS: Partial<Readonly<Record<Drawer, PanelId>>> = {
  queueTable: "queues",
  curves: "curves",
};

export function defineTwin(): void {
  define("toggleTwin", {
    label: "Table of the panel in focus; of waiting jobs when none is",
    keys: ["T"],
    group: "view",
    run: toggleTwin,
  });
}

function toggleTwin(): void {
  const { drawer } = useApp.getState();
  const panel =
    document.activeElement?.closest<HTMLElement>("[data-panel]")?.dataset["panel"] ?? "";
  const twin = TWINS[panel];
  if (twin === "map") {
    useShell.setState(({ mapTable }) => ({ mapTable: !mapTable }));
    focusPlacesSoon();
  } else if (twin === undefined ? drawer !== "none" && drawer !== "map" : drawer === twin) {
    showDrawer("none");
    if (panel === "drawer") showPanel(PANELS[drawer] ?? "gantt");
  } else {
    showDrawer(twin ?? "queueTable");
    if (twin !== undefined) focusPlacesSoon();
  }
}
