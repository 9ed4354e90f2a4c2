/** Commands that change the document: interventions at the cursor, their removal, undo and redo. */
import { clockText } from "../../base/format.ts";
import type { InterventionInput } from "../../scenario/interventions.ts";
import { appendIntervention, removeIntervention } from "../../scenario/interventions.ts";
import { jobIdxOf } from "../../store/camera.ts";
import { define } from "../../store/commands.ts";
import { editDocument, redo, undo } from "../../store/documents.ts";
import { fetchLinkCode, linkCode } from "../../store/linkCode.ts";
import { notify } from "../../store/notices.ts";
import { runData } from "../../store/runData.ts";
import { showDialog, useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { withoutStep } from "../../store/viewSteps.ts";

const noScenario = (): string | null =>
  useApp.getState().scenario ? null : "Open a scenario first";

export function defineEditCommands(): void {
  define("intervene", {
    label: "Change the run at the cursor",
    group: "edit",
    disabled: noScenario,
    run: intervene,
  });
  define("removeIntervention", {
    label: "Remove a change",
    group: "edit",
    disabled: noScenario,
    run: async ({ index }) => {
      const { scenario } = useApp.getState();
      if (!scenario?.interventions[index]) return;
      const done = await editDocument(
        removeIntervention(scenario, index),
        `Remove change ${index + 1}`,
      );
      if (done) notify(`Change ${index + 1} removed.`, true);
    },
  });
  const edits = () => import("./changeEdits.ts");
  define("changeIntervention", {
    label: "Edit a change",
    group: "edit",
    disabled: noScenario,
    run: async (args) => (await edits()).change(args),
  });
  define("moveIntervention", {
    label: "Move a change",
    group: "edit",
    disabled: noScenario,
    run: async (args) => (await edits()).move(args),
  });
  define("switchIntervention", {
    label: "Switch a change off or on",
    group: "edit",
    disabled: noScenario,
    run: async (args) => (await edits()).switchOver(args),
  });
  define("editIntervention", {
    label: "Edit a change",
    group: "edit",
    disabled: noScenario,
    run: async (args) => (await edits()).edit(args),
  });
  define("copySlurmPatch", {
    label: "Copy the lines of slurm.conf that a change touches",
    group: "edit",
    disabled: noScenario,
    run: async (args) => (await edits()).copyPatch(args),
  });
  define("undo", {
    label: "Undo",
    keys: ["Mod+Z"],
    group: "edit",
    disabled: () => (useShell.getState().undoLabel === null ? "Nothing to undo" : null),
    run: undo,
  });
  define("redo", {
    label: "Redo",
    keys: ["Mod+Shift+Z"],
    group: "edit",
    disabled: () => (useShell.getState().redoLabel === null ? "Nothing to redo" : null),
    run: redo,
  });
  define("openSide", {
    label: "Open an editor",
    group: "edit",
    disabled: noScenario,
    run: ({ side }) => {
      useApp.setState((state) => ({ side: state.side === side ? "inspector" : side }));
      useShell.setState({ bottomOpen: true, editing: null });
    },
  });
  defineRules();
}

function defineRules(): void {
  define("openRules", {
    label: "Rules of the scenario: tiers, teams, limits, services …",
    group: "edit",
    disabled: noScenario,
    run: () => showDialog({ kind: "rules" }),
  });
  define("openCluster", {
    label: "Edit the cluster: node groups, fabric",
    group: "edit",
    disabled: noScenario,
    run: () => showDialog({ kind: "cluster" }),
  });
  define("openWorkload", {
    label: "Edit the workload: classes of jobs, single jobs",
    group: "edit",
    disabled: noScenario,
    run: () => showDialog({ kind: "workload" }),
  });
  define("openScenarioCard", {
    label: "This scenario: title, question, seed, end, calendar",
    keys: ["E"],
    group: "edit",
    disabled: noScenario,
    run: () => showDialog({ kind: "scenario" }),
  });
}

async function intervene(args: {
  intervention: unknown;
  also?: readonly unknown[];
  atMs?: number;
  label: string;
}): Promise<void> {
  const atMs = Math.round(args.atMs ?? useApp.getState().cursorMs);
  const { changes } = linkCode() ?? (await fetchLinkCode());
  // Whatever was changed meanwhile stays.
  const { scenario } = useApp.getState();
  if (!scenario) return;
  const complete = (one: unknown) =>
    changes.completeIntervention({ ...(one as InterventionInput), atMs });
  const change = complete(args.intervention);
  const more = (args.also ?? []).map(complete);
  useApp.setState({ ghostShown: true });
  const done = await editDocument(
    [change, ...more].reduce(appendIntervention, scenario),
    args.label,
    scenario.interventions.length + 1,
  );
  if (!done) return;
  notify(`${args.label}: done at ${clockText(atMs, scenario.calendarStart)}.`, true);
  if (change.kind === "inject") selectInjected(change.job.id);
}

function isInjected(id: string): boolean {
  const changes = useApp.getState().scenario?.interventions ?? [];
  return changes.some((change) => change.kind === "inject" && change.job.id === id);
}

/** An injected job is the thing to look at: select it as soon as the page knows its number. */
function selectInjected(id: string): void {
  const find = (): boolean => {
    const jobIdx = jobIdxOf(id);
    if (jobIdx >= 0) withoutStep(() => useApp.setState({ selection: { kind: "job", jobIdx } }));
    return jobIdx >= 0;
  };
  if (find()) return;
  // Until the new run is there the old one, which may be done, goes on being told of.
  const stop = runData.subscribe(() => {
    if (find() || !isInjected(id)) stop();
  });
}
