/** Commands of the camera, of what is shown, and of the selection. */

import { Dirty, frameLoop } from "../../render/frameLoop.ts";
import {
  fitAll,
  fitSpan,
  panByShare,
  setWindow,
  spanOfJob,
  timeBounds,
  zoomBy,
} from "../../store/camera.ts";
import { chooseClock } from "../../store/clockShown.ts";
import { define } from "../../store/commands.ts";
import { writeDevice } from "../../store/device.ts";
import { runData } from "../../store/runData.ts";
import { showDialog, useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { moveCursor, pause } from "../../store/transport.ts";
import { applyTheme } from "../../theme/applyTheme.ts";
import { refreshPalette } from "../../theme/palette.ts";
import { zoomAround } from "../../timeline/viewport.ts";
import { closeTopLayer, showDrawer, showPanel } from "../layers.ts";
import { defineTwin } from "./twin.ts";

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
  define("narrow", {
    label: "Narrow the marked stretch, or the window",
    group: "view",
    run: ({ factor }) => {
      const { range } = useApp.getState();
      if (!range) zoomBy(factor);
      else {
        const middleMs = (range.fromMs + range.toMs) / 2;
        useApp.setState({ range: zoomAround(range, middleMs, factor, timeBounds()) });
      }
    },
  });
  define("markSelection", {
    label: "Mark the time of the selected job, from submission to end",
    keys: ["R"],
    group: "view",
    disabled: () => (useApp.getState().selection?.kind === "job" ? null : "Select a job first"),
    run: () => {
      const { selection, range } = useApp.getState();
      const span = selection?.kind === "job" ? spanOfJob(selection.jobIdx) : null;
      const same = span && range?.fromMs === span.fromMs && range.toMs === span.toMs;
      useApp.setState({ range: same ? null : span });
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
    run: ({ drawer }) => showDrawer(useApp.getState().drawer === drawer ? "none" : drawer),
  });
  define("setClock", {
    label: "Clock that times are shown by",
    group: "view",
    run: ({ choice }) => {
      chooseClock(choice);
      // All canvases write times.
      refreshPalette();
    },
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
    run: ({ panel }) => {
      const { full } = useShell.getState();
      // What stands behind the panel that has the page cannot be gone to.
      if (full !== null && full !== panel) useShell.setState({ full: null });
      showPanel(panel);
    },
  });
  define("fillPage", {
    label: "Give a panel the whole page",
    group: "view",
    disabled: () => (useApp.getState().comparing ? "Futures are compared" : null),
    run: ({ panel }) => {
      useShell.setState(({ full }) => ({ full: full === panel ? null : panel }));
      showPanel(panel);
    },
  });
  define("togglePresenter", {
    label: "Presenter mode: large type and clicker keys",
    keys: ["Shift+P"],
    group: "view",
    disabled: () => (useApp.getState().scenario ? null : "Open a scenario first"),
    run: () => useShell.setState(({ presenting }) => ({ presenting: !presenting, full: null })),
  });
  define("openAbout", {
    label: "About: version, licences, what is stored here",
    group: "help",
    run: () => showDialog({ kind: "about" }),
  });
  defineTwin();
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
  define("selectGpu", {
    label: "Select a device",
    group: "select",
    run: ({ device }) => {
      useApp.setState({ selection: { kind: "gpu", device } });
      useShell.setState({ bottomOpen: true });
    },
  });
  define("selectLeaf", {
    label: "Select a leaf switch",
    group: "select",
    run: ({ leaf }) => {
      useApp.setState({ selection: { kind: "leaf", leaf } });
      useShell.setState({ bottomOpen: true });
    },
  });
  define("selectTeam", {
    label: "Select a team",
    group: "select",
    run: ({ team }) => {
      useApp.setState({ selection: { kind: "team", team } });
      useShell.setState({ bottomOpen: true });
    },
  });
  define("selectDecision", {
    label: "Select a decision",
    group: "select",
    run: ({ selection, atMs }) => {
      useApp.setState({ selection });
      pause();
      moveCursor(atMs);
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
