/** Injects a job into a pool under Slurm with the options of `sbatch`; the command that they make stands below. */

import { useMemo } from "react";
import { clockText } from "../../../base/format.ts";
import type { SlurmConfig } from "../../../model/slurm/config.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { acting } from "../../../scenario/interventions.ts";
import { nodeNames } from "../../../scenario/nodeNames.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { parseSlurm } from "../../../scenario/slurm/parse.ts";
import { Check } from "../../../ui/Check.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { actsAtMs, applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { freeId } from "../inject/injectDraft.ts";
import { isTaken } from "../inject/takenIds.ts";
import { largestNode } from "../jobWords.ts";
import {
  commandText,
  draftErrors,
  emptyDraft,
  injectEntry,
  type SbatchDraft,
  type SbatchErrors,
  type Site,
} from "./sbatchDraft.ts";
import { draftOf, withRest } from "./sbatchOf.ts";
import "./sbatch.css";

interface SbatchProps {
  readonly scenario: Scenario;
  readonly stage: Stage;
  /** The pool whose configuration names the partitions. */
  readonly poolId: string;
}

export function SbatchEditor({ scenario, stage, poolId }: SbatchProps) {
  const atMs = Math.round(useActsAt());
  const edited = useEditing()?.change;
  const own = edited?.kind === "inject" ? edited.job : null;
  const { slurm } = policyAt(scenario, poolId, atMs);
  const config = useMemo(() => configOf(slurm), [slurm]);
  const nodes = useMemo(() => new Set(nodeNames(scenario.cluster)), [scenario.cluster]);
  const hasJob = useMemo(() => isTaken(scenario), [scenario]);
  const taken = useMemo(() => isTaken(scenario, own?.id), [scenario, own]);
  const { draft, set, drop, note } = useKeptDraft<SbatchDraft>("sbatch", () => {
    const empty = emptyDraft(scenario, largestNode(stage.cluster));
    const { queues, calendarStart } = scenario;
    return own
      ? draftOf(own, { queues, calendar: calendarStart, nowMs: atMs })
      : { ...empty, user: userOf(config, empty.account) };
  });
  const { queues, calendarStart: calendar } = scenario;
  const site: Site = { nodes, queues, nowMs: atMs, calendar, hasJob };
  const errors = draftErrors(draft, site);
  const problem = Object.values(errors)[0] ?? null;
  const time = clockText(atMs, calendar);
  const apply = () => {
    const kept = own?.name !== undefined && own.name === draft.name.trim() ? own.id : null;
    const id = kept ?? freeId(draft.name, taken);
    const entry = injectEntry(draft, id, { ...site, nowMs: actsAtMs() });
    drop();
    applyChange(own ? { ...entry, job: withRest(entry.job, own) } : entry, `sbatch ${id}`);
  };
  return (
    <EditorFrame
      title="Inject a job"
      when={`submitted at ${time}`}
      apply={`Submit at ${time}`}
      problem={problem}
      onApply={apply}
    >
      {note}
      <Fields draft={draft} errors={errors} scenario={scenario} config={config} set={set} />
      <p className="preview quiet sbatch-line" role="status">
        {commandText(draft)}
      </p>
    </EditorFrame>
  );
}

interface FieldsProps {
  readonly draft: SbatchDraft;
  readonly errors: SbatchErrors;
  readonly scenario: Scenario;
  readonly config: SlurmConfig | null;
  readonly set: (change: Partial<SbatchDraft>) => void;
}

type TextKey = {
  [K in keyof SbatchDraft]: SbatchDraft[K] extends string ? K : never;
}[keyof SbatchDraft];

function Fields({ draft, errors, scenario, config, set }: FieldsProps) {
  const field = (key: TextKey, label: string, placeholder = "", hint?: string) => (
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
    <>
      {field("name", "--job-name")}
      <div className="field-pair">
        <Select
          label="--partition"
          value={draft.partition}
          options={partitionOptions(config, scenario)}
          onChange={(partition) => set({ partition })}
        />
        <Select
          label="--qos"
          value={draft.qos}
          options={scenario.tiers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(qos) => set({ qos })}
        />
        {scenario.teams.length > 0 && (
          <Select
            label="--account"
            value={draft.account}
            options={scenario.teams.map(({ id }) => ({ value: id, label: id }))}
            onChange={(account) => set({ account, user: userOf(config, account) || draft.user })}
          />
        )}
        {field("user", "User", "who submits")}
        {field("nodes", "--nodes", "2 or 2-4")}
        {field("gpusPerNode", "--gpus-per-node", "8 or h100:8")}
        {field("gpus", "--gpus", "in all")}
        {field("time", "--time", "DefaultTime", "minutes, or 1-12:00:00")}
      </div>
      {field("work", "Its work really takes", "1:00:00", "in the notation of --time")}
      <details className="sbatch-more">
        <summary>More options</summary>
        <div className="field-pair">
          {field("timeMin", "--time-min")}
          {field("nice", "--nice", "0")}
          {field("constraint", "--constraint", featureWords(config))}
          {field("nodelist", "--nodelist")}
          {field("begin", "--begin", "now+2hours")}
          <Select
            label="--reservation"
            value={draft.reservation}
            options={reservationOptions(scenario)}
            onChange={(reservation) => set({ reservation })}
          />
        </div>
        {field("dependency", "--dependency", "afterok:JOBID")}
        <Check
          label="--exclusive"
          checked={draft.exclusive}
          onChange={(exclusive) => set({ exclusive })}
        />
        <Check label="--hold" checked={draft.hold} onChange={(hold) => set({ hold })} />
      </details>
    </>
  );
}

type Files = Parameters<typeof parseSlurm>[0];

/** null where the texts have a problem: the document says so elsewhere. O(texts). */
function configOf(files: Files | undefined): SlurmConfig | null {
  if (files === undefined) return null;
  const read = parseSlurm(files);
  return read.ok ? read.value.config : null;
}

function partitionOptions(config: SlurmConfig | null, { queues }: Scenario) {
  const partitions = config?.partitions ?? [];
  const standard = partitions.find((partition) => partition.isDefault)?.name;
  const names = partitions.length > 0 ? partitions.map(({ name }) => name) : queues;
  return [
    { value: "", label: standard === undefined ? "not given" : `default (${standard})` },
    ...names.map((name) => ({ value: name, label: name })),
  ];
}

function reservationOptions({ interventions }: Scenario) {
  const names = acting(interventions).flatMap((one) => (one.kind === "reserve" ? [one.name] : []));
  return [
    { value: "", label: "none" },
    ...[...new Set(names)].map((name) => ({ value: name, label: name })),
  ];
}

/** A user who may submit to the account; "" = the accounting names none. */
function userOf(config: SlurmConfig | null, account: string): string {
  const found = config?.associations.find((one) => one.account === account && one.user !== "");
  return found?.user ?? "";
}

const FEATURES_SHOWN = 4;

function featureWords(config: SlurmConfig | null): string {
  const all = new Set((config?.nodes ?? []).flatMap((node) => node.features));
  return [...all].slice(0, FEATURES_SHOWN).join(", ");
}
