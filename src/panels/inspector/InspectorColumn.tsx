/**
 * The column at the right: answers. It shows the selected job or node (or the run), how the last change moved the numbers, and the
 * list of changes; an editor takes its place while it is open. Editors are loaded when they are first asked for.
 */
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import type { Selection } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { tierLookup } from "../../timeline/jobNames.ts";
import { Message } from "../../ui/Message.tsx";
import { ChangesList, useChangeRows } from "./changes/ChangesList.tsx";
import { JobCard } from "./JobCard.tsx";
import { RunCard } from "./RunCard.tsx";
import "./inspector.css";

// With the metrics that it shows: they are counted when the run is complete, which the first paint does not wait for.
const NumbersTable = lazy(async () => ({
  default: (await import("./NumbersTable.tsx")).NumbersTable,
}));
const NodeCard = lazy(async () => ({ default: (await import("./NodeCard.tsx")).NodeCard }));
const SubjectCard = lazy(async () => ({
  default: (await import("./subjects/SubjectCard.tsx")).SubjectCard,
}));
const PolicyEditor = lazy(async () => ({
  default: (await import("./policy/PolicyEditor.tsx")).PolicyEditor,
}));
const InjectEditor = lazy(async () => ({
  default: (await import("./inject/InjectEditor.tsx")).InjectEditor,
}));
const DrainEditor = lazy(async () => ({
  default: (await import("./drain/DrainEditor.tsx")).DrainEditor,
}));
const LabelEditor = lazy(async () => ({
  default: (await import("./label/LabelEditor.tsx")).LabelEditor,
}));
const ReserveEditor = lazy(async () => ({
  default: (await import("./reserve/ReserveEditor.tsx")).ReserveEditor,
}));
const ChangeForm = lazy(async () => ({
  default: (await import("./changes/ChangeForm.tsx")).ChangeForm,
}));

export function InspectorColumn() {
  useChangeRows();
  const side = useApp((state) => state.side);
  const editing = useShell((state) => state.editing);
  const scenario = useApp((state) => state.scenario);
  // An editor that is open on a change closes when the change goes or is another one.
  const gone = editing !== null && scenario?.interventions[editing.index] !== editing.change;
  useEffect(() => {
    if (gone) run("openSide", { side: "inspector" });
  }, [gone]);
  if (side === "inspector") return <Answers />;
  return (
    <Suspense
      key={editing?.index ?? -1}
      fallback={<p className="inspector-part quiet">Opening the editor …</p>}
    >
      {side === "policy" && <PolicyEditor />}
      {side === "inject" && <InjectEditor />}
      {side === "drain" && <DrainEditor />}
      {side === "label" && <LabelEditor />}
      {side === "reserve" && <ReserveEditor />}
      {side === "change" && <ChangeForm />}
    </Suspense>
  );
}

function Answers() {
  const data = useRunData();
  const [tab, setTab] = useState<"why" | "changes">("why");
  const scenario = useApp((state) => state.scenario);
  if (!data.stage || !scenario) return <NothingYet />;
  return (
    <div className="inspector" data-tab={tab}>
      <fieldset className="inspector-tabs" aria-label="Parts of the inspector">
        <button type="button" aria-pressed={tab === "why"} onClick={() => setTab("why")}>
          Why
        </button>
        <button type="button" aria-pressed={tab === "changes"} onClick={() => setTab("changes")}>
          Changes{scenario.interventions.length > 0 ? ` (${scenario.interventions.length})` : ""}
        </button>
      </fieldset>
      <div className="tab-why">
        <Card />
        <Suspense>
          <NumbersTable data={data} />
        </Suspense>
      </div>
      <div className="tab-changes">
        <ChangesList />
      </div>
    </div>
  );
}

function Card() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const selection = useApp((state) => state.selection);
  const scenario = useApp((state) => state.scenario);
  const tierAt = useMemo(() => {
    if (!stage || !scenario) return () => 0;
    const ids = stage.tiers.map((tier) => tier.id);
    return tierLookup(stage.jobs.at.tier, stage.jobs.ids, ids, scenario.interventions);
  }, [stage, scenario]);
  if (!stage) return null;
  const card = { stage, future: current, atMs, calendar: scenario?.calendarStart };
  const subject = selection && hasSubject(selection, stage) && (
    <Suspense fallback={null}>
      <SubjectCard {...card} selection={selection} />
    </Suspense>
  );
  if (selection?.kind === "job" && selection.jobIdx < stage.jobs.count) {
    const { jobIdx } = selection;
    return (
      <>
        {subject}
        <JobCard key={jobIdx} {...card} jobIdx={jobIdx} tier={tierAt(jobIdx, atMs)} />
      </>
    );
  }
  if (selection?.kind === "node" && selection.node < stage.cluster.nodeCount) {
    return (
      <>
        {subject}
        <Suspense fallback={<article className="inspector-part" aria-label="Node" />}>
          <NodeCard {...card} node={selection.node} />
        </Suspense>
      </>
    );
  }
  return subject || <RunCard {...card} />;
}

/** Whether something is selected that has a card of its own beside those of jobs and nodes. */
function hasSubject(selection: NonNullable<Selection>, { cluster, teams }: Stage): boolean {
  if ("decision" in selection && selection.decision !== undefined) return true;
  if (selection.kind === "gpu") return selection.device < cluster.deviceCount;
  if (selection.kind === "leaf") return cluster.hasFabric && selection.leaf < cluster.leafCount;
  return selection.kind === "team" && selection.team < teams.length;
}

/** States before there is a run; the cause first, then what to do. */
function NothingYet() {
  const status = useApp((state) => state.runStatus);
  const opening = useShell((state) => state.opening);
  if (opening) return null;
  switch (status.phase) {
    case "failed":
      return (
        <Message kind="error" title="The simulation stopped.">
          {status.message}
        </Message>
      );
    case "problems":
      return (
        <Message kind="error" title={status.problems[0]?.message ?? "The scenario cannot run."}>
          {status.problems[0]?.remedy}
        </Message>
      );
    case "traceNeeded":
      return (
        <Message title={`This scenario needs the file ${status.name}.`}>
          Drop it on the page: it is not part of a link.
        </Message>
      );
    case "computing":
      return (
        <Message title="Getting the run ready …">The first results appear within a moment.</Message>
      );
    default:
      return (
        <Message title="No run yet.">
          Pick a scenario from the library, or drop a trace file on the page.
        </Message>
      );
  }
}
