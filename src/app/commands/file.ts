/** Commands of files, links, runs and help. */
import { define } from "../../store/commands.ts";
import { openDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { showDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { currentLink, writeUrl } from "../../store/url.ts";
import type { WorkerClient } from "../../store/workerClient.ts";
import { pickFiles } from "../files.ts";
import { focusOpened } from "../layers.ts";

const noScenario = (): string | null =>
  useApp.getState().scenario ? null : "Open a scenario first";

export function defineFileCommands(client: WorkerClient): void {
  define("openFile", {
    label: "Open a scenario or a trace",
    keys: ["Mod+O"],
    group: "file",
    run: () => pickFiles(),
  });
  define("openFiles", {
    label: "Stored files: traces kept on this device",
    group: "file",
    run: () => showDialog({ kind: "files" }),
  });
  define("saveScenario", {
    label: "Save the scenario as a file",
    keys: ["Mod+S"],
    group: "file",
    disabled: noScenario,
    run: async () => (await import("../share/saveFile.ts")).saveScenario(),
  });
  define("copyLink", {
    label: "Copy the link to this state",
    group: "file",
    disabled: noScenario,
    run: copyLink,
  });
  define("openShare", {
    label: "Share: link, QR code, snippet, file",
    keys: ["U"],
    group: "file",
    disabled: noScenario,
    run: () => showDialog({ kind: "share" }),
  });
  define("openExport", {
    label: "Export a picture or data",
    keys: ["Mod+E"],
    group: "file",
    disabled: noScenario,
    run: () => showDialog({ kind: "export" }),
  });
  define("openRecent", {
    label: "Recent scenarios on this device",
    group: "file",
    run: () => showDialog({ kind: "recent" }),
  });
  define("newScenario", {
    label: "New scenario",
    group: "file",
    run: async () => {
      const { newScenario } = await import("../newScenario.ts");
      const fresh = { scenario: newScenario(), baseId: null, view: null };
      if (!(await openDocument(fresh, "New scenario"))) return;
      notify("New scenario.", true);
      focusOpened();
    },
  });
  define("openLibrary", {
    label: "Library",
    group: "file",
    run: () => showDialog({ kind: "library" }),
  });
  define("cancelRun", {
    label: "Stop computing",
    group: "play",
    disabled: () =>
      useApp.getState().runStatus.phase === "computing" ? null : "Nothing is computing",
    run: () => client.cancel(),
  });
  define("resumeRun", {
    label: "Continue computing",
    group: "play",
    disabled: () => {
      const { phase } = useApp.getState().runStatus;
      return phase === "cancelled" || phase === "failed" ? null : "Nothing is stopped";
    },
    run: () => (useApp.getState().runStatus.phase === "failed" ? client.retry() : client.resume()),
  });
  defineHelp();
}

function defineHelp(): void {
  define("openPalette", {
    label: "All commands",
    keys: ["Mod+K"],
    group: "help",
    run: () => showDialog({ kind: "palette" }),
  });
  define("openHelp", {
    label: "Help",
    keys: ["?"],
    group: "help",
    run: () => showDialog({ kind: "help" }),
  });
  define("openSlurmPreset", {
    label: "Slurm: what this preset models",
    group: "help",
    run: () => showDialog({ kind: "slurmPreset" }),
  });
  define("openOrchestrators", {
    label: "Compare orchestrators",
    group: "help",
    run: () => showDialog({ kind: "orchestrators" }),
  });
  define("focusSearch", {
    label: "Search",
    keys: ["/"],
    group: "select",
    run: () => document.querySelector<HTMLElement>(".topbar-search input")?.focus(),
  });
}

async function copyLink(): Promise<void> {
  const link = currentLink();
  if (link === null) {
    notify("This document is too long for a link. Save it as a file and send that (Ctrl+S).");
    return;
  }
  writeUrl("replace");
  await navigator.clipboard.writeText(link).then(
    () => notify("Link copied: it opens this scenario, its changes, the time and the selection."),
    () => notify("The browser does not let the page copy. The address bar holds the same link."),
  );
}
