/**
 * Keeps nodes of a pool of the lab, from the cursor or later on: for some teams or users, or for maintenance. The same entry of the document as Slurm's
 * `scontrol create reservation`; only what the lab looks at is asked for.
 */
import { useMemo } from "react";
import { clockText, durationText } from "../../../base/format.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { nodeNames } from "../../../scenario/nodeNames.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { nameList } from "../../../scenario/slurm/values.ts";
import { DurationField } from "../../../ui/DurationField.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { actsAtMs, applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { hostsError } from "../sbatch/sbatchDraft.ts";
import { freeName, takenNames } from "./takenNames.ts";

const KINDS = [
  { value: "reserved", label: "for some jobs" },
  { value: "MAINT", label: "for maintenance" },
] as const;
const REPEATS = [
  { value: "once", label: "once" },
  { value: "HOURLY", label: "every hour" },
  { value: "DAILY", label: "every day" },
  { value: "WEEKLY", label: "every week" },
] as const;
const HOUR_MS = 3_600_000;

interface Draft {
  readonly name: string;
  readonly pool: string;
  readonly kind: (typeof KINDS)[number]["value"];
  readonly inMs: number;
  readonly lengthMs: number;
  readonly repeat: (typeof REPEATS)[number]["value"];
  /** A host list; empty: all of the pool. */
  readonly nodes: string;
  readonly teams: readonly string[];
  readonly users: string;
}

type Reserve = Extract<Intervention, { kind: "reserve" }>;

interface LabReserveProps {
  readonly scenario: Scenario;
  readonly node: string | null;
}

export function LabReserve({ scenario, node }: LabReserveProps) {
  const atMs = Math.round(useActsAt());
  const edited = useEditing()?.change;
  const own = edited?.kind === "reserve" ? edited : null;
  const { calendarStart: calendar, pools, teams } = scenario;
  const taken = takenNames(scenario, own?.name);
  const first = (): Draft => {
    const empty: Draft = {
      name: freeName("window", taken),
      pool: pools[0]?.id ?? "",
      kind: "reserved",
      inMs: HOUR_MS,
      lengthMs: HOUR_MS,
      repeat: "once",
      nodes: node ?? "",
      teams: [],
      users: "",
    };
    return own ? draftOf(own, empty) : empty;
  };
  const { draft, set, drop, note } = useKeptDraft("window", first, node ?? "");
  const known = useMemo(() => new Set(nodeNames(scenario.cluster)), [scenario.cluster]);
  const name = draft.name.trim();
  const wrongName =
    name === ""
      ? "Give it a name."
      : taken.has(name)
        ? "There is a reservation of that name."
        : null;
  const wrongNodes = draft.nodes.trim() === "" ? null : hostsError(draft.nodes, known);
  const startMs = atMs + draft.inMs;
  const apply = () => {
    const entry = entryOf(draft, actsAtMs(), pools.length > 1);
    drop();
    applyChange(entry, `Reserve nodes: ${name}`);
  };
  return (
    <EditorFrame
      title="Reserve nodes"
      when={`known from ${clockText(atMs, calendar)} on`}
      apply={`Reserve from ${clockText(startMs, calendar)}`}
      problem={wrongName ?? wrongNodes ?? (draft.lengthMs > 0 ? null : "Say how long it lasts.")}
      onApply={apply}
    >
      {note}
      <TextField
        label="Name"
        value={draft.name}
        error={wrongName}
        onChange={(value) => set({ name: value })}
      />
      {pools.length > 1 && (
        <Select
          label="Pool"
          value={draft.pool}
          options={pools.map(({ id }) => ({ value: id, label: id }))}
          onChange={(pool) => set({ pool })}
        />
      )}
      <Select
        label="Kept"
        value={draft.kind}
        options={KINDS}
        onChange={(kind) => set({ kind })}
        hint="Jobs whose limit reaches into it are kept off its nodes from now on."
      />
      <div className="field-pair">
        <DurationField
          label="Begins in"
          value={draft.inMs}
          onChange={(inMs) => set({ inMs })}
          hint={`At ${clockText(startMs, calendar)}.`}
        />
        <DurationField
          label="Lasts"
          value={draft.lengthMs}
          onChange={(lengthMs) => set({ lengthMs })}
          hint="From begin to end."
        />
      </div>
      <div className="field-pair">
        <Select
          label="Again"
          value={draft.repeat}
          options={REPEATS}
          onChange={(repeat) => set({ repeat })}
        />
        <TextField
          label="Nodes"
          value={draft.nodes}
          placeholder="all of the pool"
          error={wrongNodes}
          onChange={(nodes) => set({ nodes })}
        />
      </div>
      {draft.kind === "reserved" && (
        <>
          {teams.length > 0 && (
            <fieldset className="choices">
              <legend>For teams</legend>
              {teams.map(({ id, name: label }) => (
                <label key={id} className="choice">
                  <input
                    type="checkbox"
                    checked={draft.teams.includes(id)}
                    onChange={() => set({ teams: toggled(draft.teams, id) })}
                  />
                  <span>{label ?? id}</span>
                </label>
              ))}
            </fieldset>
          )}
          <TextField
            label="For users"
            value={draft.users}
            hint="With commas between. No team and no user: nobody uses it."
            onChange={(users) => set({ users })}
          />
        </>
      )}
      <p className="preview quiet" role="status">
        {draft.nodes.trim() || "All nodes of the pool"}, {clockText(startMs, calendar)} to{" "}
        {clockText(startMs + draft.lengthMs, calendar)}, {durationText(draft.lengthMs)}.
      </p>
    </EditorFrame>
  );
}

function toggled(list: readonly string[], id: string): readonly string[] {
  return list.includes(id) ? list.filter((one) => one !== id) : [...list, id];
}

/** The form of a reservation that was made: the other way round. */
function draftOf(made: Reserve, empty: Draft): Draft {
  const maintenance = made.flags.includes("MAINT");
  return {
    ...empty,
    name: made.name,
    pool: made.pool ?? empty.pool,
    kind: maintenance ? "MAINT" : "reserved",
    inMs: Math.max(0, made.startMs - made.atMs),
    lengthMs: made.endMs - made.startMs,
    repeat: REPEATS.find(({ value }) => made.flags.includes(value))?.value ?? "once",
    nodes: made.nodes === undefined || made.nodes.toUpperCase() === "ALL" ? "" : made.nodes,
    teams: made.accounts,
    users: made.users.join(", "),
  };
}

function entryOf(draft: Draft, nowMs: number, severalPools: boolean): InterventionInput {
  const reserved = draft.kind === "reserved";
  const nodes = draft.nodes.trim();
  return {
    kind: "reserve",
    atMs: nowMs,
    name: draft.name.trim(),
    startMs: nowMs + draft.inMs,
    endMs: nowMs + draft.inMs + draft.lengthMs,
    nodes: nodes === "" ? "ALL" : nodes,
    ...(severalPools ? { pool: draft.pool } : {}),
    users: reserved ? nameList(draft.users) : [],
    accounts: reserved ? [...draft.teams] : [],
    flags: [...(reserved ? [] : ["MAINT"]), ...(draft.repeat === "once" ? [] : [draft.repeat])],
  };
}
