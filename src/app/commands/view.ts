/** Commands of the camera, of what is shown, and of the selection. */

import { Dirty, frameLoop } from "../../render/frameLoop.ts";
import { fitAll, fitSpan, panByShare, setWindow, spanOfJob, zoomBy } from "../../store/camera.ts";
import { define } from "../../store/commands.ts";
import { writeDevice } from "../../store/device.ts";
import { runData } from "../../store/runData.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { applyTheme } from "../../theme/applyTheme.ts";

export const THEME_KEY = "queuescope.theme";

export function defineViewCommands(): void {
  define("setWindow", { label: "Show a stretch of time", group: "view", run: setWindow });
  define("zoom", {
    label: "Zoom",
    group: "view",
    run: ({ factor, aroundMs }) => zoomBy(factor, aroundMs),
  });
  define("pan", { label: "Move in time", group: "view", run: ({ share }) => panByShare(share) });
  define("fitAll", {
    label: "Fit all: show the whole run",
    keys: ["0"],
    group: "view",
    run: fitAll,
  });
  define("fitSelection", {
    label: "Fit the selection",
    keys: ["F"],
    group: "view",
    disabled: () => (useApp.getState().selection?.kind === "job" ? null : "Select a job first"),
    run: () => {
      const { selection } = useApp.getState();
      const span = selection?.kind === "job" ? spanOfJob(selection.jobIdx) : null;
      if (span) fitSpan(span.fromMs, span.toMs);
    },
  });
  define("toggleGhost", {
    label: "Show or dismiss the future before the last change",
    keys: ["G"],
    group: "view",
    disabled: () => (runData.get().ghost ? null : "There was no change yet"),
    run: () => useApp.setState(({ ghostShown }) => ({ ghostShown: !ghostShown })),
  });
  define("toggleDrawer", {
    label: "Table",
    group: "view",
    run: ({ drawer }) =>
      useApp.setState((state) => ({ drawer: state.drawer === drawer ? "none" : drawer })),
  });
  define("setTheme", {
    label: "Theme",
    group: "view",
    run: ({ theme }) => {
      useApp.setState({ theme });
      applyTheme(theme);
      frameLoop.markAll(Dirty.all);
      writeDevice(THEME_KEY, theme);
    },
  });
  define("focusPanel", {
    label: "Go to a panel",
    group: "view",
    run: ({ panel }) => focusPanel(panel),
  });
  defineSelection();
}

function defineSelection(): void {
  define("selectJob", {
    label: "Select a job",
    group: "select",
    run: ({ jobIdx }) => {
      useApp.setState({ selection: { kind: "job", jobIdx } });
      useShell.setState({ bottomOpen: true });
    },
  });
  define("selectNode", {
    label: "Select a node",
    group: "select",
    run: ({ node }) => {
      useApp.setState({ selection: { kind: "node", node } });
      useShell.setState({ bottomOpen: true });
    },
  });
  define("clearSelection", {
    label: "Clear the selection",
    group: "select",
    run: () => useApp.setState({ selection: null }),
  });
  define("escape", {
    label: "Close the top layer, then clear the selection",
    keys: ["Esc"],
    group: "select",
    run: closeTopLayer,
  });
}

function closeTopLayer(): void {
  const { drawer, side, search, comparing } = useApp.getState();
  if (drawer !== "none") useApp.setState({ drawer: "none" });
  else if (side !== "inspector") useApp.setState({ side: "inspector" });
  else if (comparing) useApp.setState({ comparing: false });
  else if (search !== "") useApp.setState({ search: "" });
  else useApp.setState({ selection: null });
}

function focusPanel(panel: string): void {
  const region = document.querySelector(`[data-panel="${panel}"]`);
  region
    ?.querySelector<HTMLElement>('canvas[tabindex], [tabindex="0"], button, input, select')
    ?.focus();
}
