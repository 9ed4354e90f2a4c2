/** Creates a reservation at the cursor: under Slurm in the words of `scontrol create reservation`, else with the form of the lab. */
import { useMemo } from "react";
import { clockText } from "../../../base/format.ts";
import { nodeNames } from "../../../scenario/nodeNames.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { isSlurmAt } from "../../../store/slurmPools.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { TextField } from "../../../ui/Field.tsx";
import { actsAtMs, applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { LabReserve } from "./LabReserve.tsx";
import {
  draftOf,
  emptyReservation,
  type ReserveDraft,
  type ReserveSite,
  reserveEntry,
  reserveErrors,
} from "./reserveDraft.ts";
import { freeName, takenNames } from "./takenNames.ts";

export function ReserveEditor() {
  const scenario = useApp((state) => state.scenario);
  const { stage } = useRunData();
  const selection = useApp((state) => state.selection);
  const atMs = useActsAt();
  if (!scenario || !stage) return <p className="inspector-part quiet">Open a scenario first.</p>;
  const chosen = selection?.kind === "node" ? stage.cluster.nodeNames[selection.node] : undefined;
  const slurm = scenario.pools.some((_, index) => isSlurmAt(scenario, index, atMs));
  const Form = slurm ? ReserveForm : LabReserve;
  return <Form scenario={scenario} node={chosen ?? null} />;
}

interface ReserveProps {
  readonly scenario: Scenario;
  readonly node: string | null;
}

function ReserveForm({ scenario, node }: ReserveProps) {
  const atMs = Math.round(useActsAt());
  const edited = useEditing()?.change;
  const own = edited?.kind === "reserve" ? edited : null;
  const first = (): ReserveDraft => {
    if (own) return draftOf(own);
    const empty = emptyReservation(node);
    return { ...empty, name: freeName(empty.name, takenNames(scenario)) };
  };
  const { draft, set, drop, note } = useKeptDraft("reserve", first, node ?? "");
  const nodes = useMemo(() => new Set(nodeNames(scenario.cluster)), [scenario.cluster]);
  const taken = takenNames(scenario, own?.name);
  const { calendarStart: calendar, pools } = scenario;
  const site: ReserveSite = { nodes, taken, nowMs: atMs, calendar };
  const errors = reserveErrors(draft, site);
  const pool = pools.find((_, index) => isSlurmAt(scenario, index, atMs));
  const problem = Object.values(errors)[0] ?? null;
  const time = clockText(atMs, calendar);
  const apply = () => {
    const entry = reserveEntry(draft, { ...site, nowMs: actsAtMs() });
    drop();
    const where = pools.length > 1 && pool ? { pool: pool.id } : {};
    // A partition has no field here: what was said of it stays.
    const rest = own?.partition === undefined ? {} : { partition: own.partition };
    applyChange({ ...entry, ...where, ...rest }, `Create reservation ${draft.name.trim()}`);
  };
  const field = (key: keyof ReserveDraft, label: string, placeholder = "", hint?: string) => (
    <TextField
      label={label}
      value={draft[key]}
      placeholder={placeholder}
      hint={hint}
      error={errors[key] ?? null}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <EditorFrame
      title="Create a reservation"
      when={`scontrol, at ${time}`}
      apply={`Create at ${time}`}
      problem={problem}
      onApply={apply}
    >
      {note}
      {field("name", "ReservationName")}
      <div className="field-pair">
        {field("start", "StartTime", "now", "now+2hours, 16:00")}
        {field("duration", "Duration", "4:00:00")}
        {field("nodes", "Nodes", "ALL")}
        {field("nodeCount", "NodeCnt")}
        {field("users", "Users", "root")}
        {field("accounts", "Accounts")}
      </div>
      {field("flags", "Flags", "MAINT,IGNORE_JOBS")}
    </EditorFrame>
  );
}
