/** Commands of what this device keeps of the page: the version that is stored, the layout. */
import { define } from "../../store/commands.ts";
import { resetLayout } from "../../store/layout.ts";
import { notify } from "../../store/notices.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { flushUrl } from "../../store/url.ts";

export function defineDeviceCommands(): void {
  define("takeUpdate", {
    label: "Reload into the new version",
    group: "help",
    disabled: whyNoUpdate,
    run: async () => {
      flushUrl();
      const { reloadIntoUpdate } = await import("../offline/pageOffline.ts");
      await reloadIntoUpdate();
    },
  });
  define("resetLayout", {
    label: "Reset the layout: sizes, curves, rows and tables as they come",
    group: "view",
    run: () => {
      resetLayout();
      useApp.setState({ drawer: "none", grouping: "leaf", leafLevels: {} });
      useShell.setState({ full: null });
      notify("The layout is as it comes.");
    },
  });
}

function whyNoUpdate(): string | null {
  if (!useShell.getState().updateReady) return "This is the newest version that is stored";
  // What is typed into a form is nowhere else yet.
  return useApp.getState().side === "inspector" && useShell.getState().dialog.kind === "none"
    ? null
    : "An editor is open: apply or cancel it first";
}
