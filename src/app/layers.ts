/**
 * The layers of the page and the focus: what Escape closes first, what Back brings back, and where the focus goes, which is never lost. From the card of
 * a row both lead to the table again, whose row has kept its place.
 */
import { enterView } from "../store/documents.ts";
import { pageOf } from "../store/pageInLink.ts";
import { closeDialog, useShell } from "../store/shellState.ts";
import type { AppState, PanelId } from "../store/state.ts";
import { useApp } from "../store/store.ts";
import { followLayer, nameLayer } from "../store/url.ts";
import type { View } from "../store/viewCode.ts";

const DRAWER = ".table-drawer, .map-panel";
/** What in a drawer has rows or places to go through. */
const PLACES = ".table-drawer .row-grid, .map-panel .map-ground, .map-panel .row-grid";
/** Panels in whose place a table stands. */
const GIVES_WAY = '[data-panel="queues"], [data-panel="curves"]';
/** Frames that a table may take to be there: its part of the program is loaded first. */
const FRAMES_MOST = 120;

/** Escape. */
export function closeTopLayer(): void {
  const { drawer, side, search, comparing, range } = useApp.getState();
  if (useShell.getState().full !== null) useShell.setState({ full: null });
  else if (drawer !== "none") {
    if (isInCard() && side === "inspector" && focusPlaces()) return;
    // The focus would be lost with the table that has it.
    const inside = isInDrawer();
    useApp.setState({ drawer: "none" });
    if (inside) showPanel("gantt");
  } else if (side !== "inspector") useApp.setState({ side: "inspector" });
  else if (comparing) useApp.setState({ comparing: false });
  else if (search !== "") useApp.setState({ search: "" });
  else if (range) useApp.setState({ range: null });
  else useApp.setState({ selection: null });
}

/** An editor or a dialog. The palette is on the way to something else. */
function isLayerOpen(): boolean {
  const { kind } = useShell.getState().dialog;
  return useApp.getState().side !== "inspector" || (kind !== "none" && kind !== "palette");
}

/** From now on an editor or a dialog that opens is a step of the browser's history. */
export function watchLayers(): void {
  let wasOpen = isLayerOpen();
  const look = (): void => {
    const open = isLayerOpen();
    const page = pageOf(useShell.getState().dialog);
    if (open !== wasOpen) followLayer(open, page);
    else if (open) nameLayer(page);
    wasOpen = open;
  };
  useApp.subscribe((state) => state.side, look);
  useShell.subscribe((state) => state.dialog, look);
}

/** A page that a link has led to was there before the address could have a step for it. */
export function followOpenPage(): void {
  const page = pageOf(useShell.getState().dialog);
  if (page !== null) followLayer(true, page);
}

/** Back out of an editor or a dialog. What was typed in an editor is there again when it opens. */
export function closeLayers(): void {
  const inside = isInCard();
  closeDialog();
  useApp.setState({ side: "inspector" });
  // The focus would be lost with the form that has it.
  if (inside) setTimeout(() => focusPanel("inspector"), 0);
}

/** Another view of the same document, out of the browser's history; with `layer` an editor may stay open. A text field keeps the focus. */
export function backToView(view: View, layer: boolean): void {
  const inDrawer = isInDrawer();
  const { activeElement } = document;
  const givesWay = activeElement?.closest(GIVES_WAY) != null;
  const free = inDrawer || isInCard() || givesWay || activeElement === document.body;
  if (!layer) closeDialog();
  enterView(view, layer);
  if (layer && !isLayerOpen()) followLayer(false);
  if (!free) return;
  if (useApp.getState().drawer === "none") {
    if (inDrawer) showPanel("gantt");
  } else setTimeout(focusPlaces, 0);
}

function isInDrawer(): boolean {
  return document.activeElement?.closest(DRAWER) != null;
}

function isInCard(): boolean {
  return document.activeElement?.closest('[data-panel="inspector"]') != null;
}

/** False where the drawer has nothing to go through. */
function focusPlaces(): boolean {
  const places = document.querySelector<HTMLElement>(PLACES);
  places?.focus({ preventScroll: true });
  return places !== null;
}

/** On a small page the card at its foot gives way to a table that opens. */
export function showDrawer(drawer: AppState["drawer"]): void {
  useApp.setState({ drawer });
  if (drawer !== "none") useShell.setState({ bottomOpen: false });
}

/** Puts the focus into the drawer as soon as it has rows or places, unless it was put elsewhere meanwhile. */
export function focusPlacesSoon(): void {
  const before = document.activeElement;
  const shown = document.querySelector(PLACES);
  let frames = 0;
  const look = (): void => {
    const now = document.activeElement;
    if (now !== before && now !== document.body) return;
    const isNew = document.querySelector(PLACES) !== shown;
    if (!(isNew && focusPlaces()) && ++frames < FRAMES_MOST) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Brings a panel on the page, if it is not there, and puts the focus into it. */
export function showPanel(panel: PanelId): void {
  const { drawer } = useApp.getState();
  if (panel === "drawer" && drawer === "none") useApp.setState({ drawer: "queueTable" });
  if ((panel === "queues" || panel === "curves") && drawer !== "none")
    useApp.setState({ drawer: "none" });
  if (panel === "inspector") useShell.setState({ bottomOpen: true });
  // A panel that was not there is rendered first.
  setTimeout(() => focusPanel(panel), 0);
}

/** After a document was opened: the focus stays where it is; where it is nowhere, as after the palette, it goes into the Gantt, or into what stands in its place. */
export function focusOpened(): void {
  // The page of the new document is rendered first, which takes the one of the old away.
  let frames = 0;
  const look = (): void => {
    if (document.activeElement !== document.body) return;
    if (!focusPlaces()) focusPanel("gantt");
    if (++frames < FRAMES_MOST) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function focusPanel(panel: PanelId): void {
  const region = document.querySelector(`[data-panel="${panel}"]`);
  region
    ?.querySelector<HTMLElement>('canvas[tabindex], [tabindex="0"], button, input, select')
    ?.focus();
}
