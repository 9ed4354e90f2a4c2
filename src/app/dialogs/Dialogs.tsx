/** The dialog that is open. Each is a chunk of its own, except the small ones that share this one. */
import { lazy } from "react";
import { useShell } from "../../store/shellState.ts";
import { FilesDialog } from "./FilesDialog.tsx";
import { HelpSheet } from "./HelpSheet.tsx";
import { Palette } from "./Palette.tsx";
import { TraceDialog } from "./TraceDialog.tsx";
import "./dialogs.css";

const LibraryDialog = lazy(async () => ({
  default: (await import("./LibraryDialog.tsx")).LibraryDialog,
}));

const SlurmPresetDialog = lazy(async () => ({
  default: (await import("./SlurmPresetDialog.tsx")).SlurmPresetDialog,
}));

const FamilyPresetDialog = lazy(async () => ({
  default: (await import("./FamilyPresetDialog.tsx")).FamilyPresetDialog,
}));

const ComparisonDialog = lazy(async () => ({
  default: (await import("../../panels/orchestrators/ComparisonDialog.tsx")).ComparisonDialog,
}));

const RulesDialog = lazy(async () => ({
  default: (await import("../../panels/rules/RulesDialog.tsx")).RulesDialog,
}));

const ClusterEditor = lazy(async () => ({
  default: (await import("./ClusterEditor.tsx")).ClusterEditor,
}));

const WorkloadEditor = lazy(async () => ({
  default: (await import("./WorkloadEditor.tsx")).WorkloadEditor,
}));

const SlurmFilesDialog = lazy(async () => ({
  default: (await import("./SlurmFilesDialog.tsx")).SlurmFilesDialog,
}));

const ShareDialog = lazy(async () => ({
  default: (await import("./ShareDialog.tsx")).ShareDialog,
}));

const RecentDialog = lazy(async () => ({
  default: (await import("./RecentDialog.tsx")).RecentDialog,
}));

const ExportDialog = lazy(async () => ({
  default: (await import("./ExportDialog.tsx")).ExportDialog,
}));

const ScenarioDialog = lazy(async () => ({
  default: (await import("../scenarioCard/ScenarioDialog.tsx")).ScenarioDialog,
}));

const AboutDialog = lazy(async () => ({
  default: (await import("./AboutDialog.tsx")).AboutDialog,
}));

const BookmarksDialog = lazy(async () => ({
  default: (await import("../../panels/marks/BookmarksDialog.tsx")).BookmarksDialog,
}));

export function Dialogs() {
  const dialog = useShell((state) => state.dialog);
  switch (dialog.kind) {
    case "none":
      return null;
    case "library":
      return <LibraryDialog />;
    case "palette":
      return <Palette />;
    case "help":
      return <HelpSheet />;
    case "slurmPreset":
      return <SlurmPresetDialog />;
    case "familyPreset":
      return <FamilyPresetDialog preset={dialog.preset} />;
    case "orchestrators":
      return <ComparisonDialog />;
    case "rules":
      return <RulesDialog />;
    case "cluster":
      return <ClusterEditor />;
    case "workload":
      return <WorkloadEditor />;
    case "scenario":
      return <ScenarioDialog />;
    case "share":
      return <ShareDialog />;
    case "recent":
      return <RecentDialog />;
    case "export":
      return <ExportDialog />;
    case "about":
      return <AboutDialog />;
    case "files":
      return <FilesDialog />;
    case "slurmFiles":
      return <SlurmFilesDialog read={dialog.read} then={dialog.then} />;
    case "bookmarks":
      return <BookmarksDialog fresh={dialog.fresh} />;
    case "trace":
      return <TraceDialog trace={dialog.trace} />;
  }
}
