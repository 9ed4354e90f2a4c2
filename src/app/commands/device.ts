/** Commands of what this device keeps of the page: the version that is stored. */
import { define } from "../../store/commands.ts";
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
}

function whyNoUpdate(): string | null {
  if (!useShell.getState().updateReady) return "This is the newest version that is stored";
  // What is typed into a form is nowhere else yet.
  return useApp.getState().side === "inspector" && useShell.getState().dialog.kind === "none"
    ? null
    : "An editor is open: apply or cancel it first";
}
