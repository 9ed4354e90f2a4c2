/**
 * Fetches the lazy chunks once the first run is shown: the first paint does not wait for dialogs and tables, and afterwards they
 * open at once, also without network. A chunk that cannot be fetched is fetched when it is asked for.
 */
const later = {
  ...import.meta.glob("./dialogs/*.tsx"),
  ...import.meta.glob("./share/{saveFile,picture/readPicture,tables/arrowFile}.ts"),
  ...import.meta.glob(
    "../panels/*/{GanttMenu,GanttTable,HeadNote,HitsTable,QueueTable,WaitingDrawer,DecisionDrawer,CurveExtras,CurveTable}.tsx",
  ),
  ...import.meta.glob(
    "../panels/*/{AxisFlags,PassLane,slurm/SlurmDrawer,slurm/SlurmActions,slurm/SlurmJob,slurm/SlurmNode,{reservations/Reservation,history/History}Layer,GaugeLane,lab/LabDrawer,lab/GaugeTable,lab/ShareTable,kueue/ClusterQueueTable,kueue/KueueJob,lab/LabJob}.tsx",
  ),
  ...import.meta.glob(
    "../panels/{gantt/groups/GroupLayer,gantt/heads/HeadLayer,gantt/plan/PlanLayer,gantt/range/RangeCard,gantt/history/NodeTable,marks/MarkLayer,marks/BookmarksDialog}.tsx",
  ),
  ...import.meta.glob("../panels/inspector/{*/*Editor,policy/platforms/PlatformCards}.tsx"),
  ...import.meta.glob(
    "../panels/inspector/{NodeCard,jobEdit/JobEdit,story/JobMore,subjects/SubjectCard,whatIf/WhatIf,effect/EffectCard,waiting/WaitingShort}.tsx",
  ),
  ...import.meta.glob("../panels/topology/{TopologyPanel,MapTable,MapMenu}.tsx"),
  ...import.meta.glob("./compare/Compare{Panel,Column}.tsx"),
  ...import.meta.glob("../panels/{rules/RulesDialog,orchestrators/ComparisonDialog}.tsx"),
  ...import.meta.glob("../model/slurm/sentences.ts"),
  // No components, but what a first change, a file or a new scenario needs.
  ...import.meta.glob([
    "./{newScenario,slurmFiles,commands/changeEdits}.ts",
    "./scenarioCard/ScenarioDialog.tsx",
    "./topbar/ClockChoices.tsx",
    "./presenter/Presenter.tsx",
    "../panels/gantt/spotlight/SpotlightLayer.tsx",
    "../panels/inspector/changes/ChangeForm.tsx",
    "./share/saveFile.ts",
    "../scenario/completeIntervention.ts",
    "../scenario/kubernetes/form/{readForm,editForm,newObjects}.ts",
    "./share/slurmPatch.ts",
    "../store/runNumbers.ts",
  ]),
};

const LATEST_MS = 1_000;
const NEXT_MS = 50;

export function prefetchLater(): Promise<void> {
  return new Promise((resolve) => {
    const loads = Object.values(later);
    const asked: Promise<unknown>[] = [];
    const askSome = (): void => {
      // A failure is dealt with at once: it may come while others are still to be asked for.
      for (const load of loads.splice(0, ASKED_AT_ONCE)) asked.push(load().catch(() => undefined));
      if (loads.length > 0) whenIdle(askSome, NEXT_MS);
      else void Promise.all(asked).then(() => resolve());
    };
    whenIdle(askSome, LATEST_MS);
  });
}

/** Asking for a chunk takes the page about a millisecond. */
const ASKED_AT_ONCE = 4;

function whenIdle(task: () => void, latestMs: number): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(task, { timeout: latestMs });
  else setTimeout(task, latestMs);
}
