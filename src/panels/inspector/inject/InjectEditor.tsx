/** Puts one more job into the run at the cursor. Every message stands beside the field it is about. */

import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { clockText, countText, durationText } from "../../../base/format.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { removeIntervention } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { isSlurmAt } from "../../../store/slurmPools.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { DurationField } from "../../../ui/DurationField.tsx";
import { NumberField, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { actsAtMs, applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { largestNode } from "../jobWords.ts";
import {
  draftErrors,
  draftNote,
  draftOf,
  emptyDraft,
  freeId,
  type InjectDraft,
  injectEntry,
  jobProblems,
  type Machine,
  profilesOf,
} from "./injectDraft.ts";
import { MoreFields } from "./MoreFields.tsx";
import { isTaken } from "./takenIds.ts";
import { WhenStart } from "./WhenStart.tsx";

const SbatchEditor = lazy(async () => ({
  default: (await import("../sbatch/SbatchEditor.tsx")).SbatchEditor,
}));

export function InjectEditor() {
  const scenario = useApp((state) => state.scenario);
  const { stage } = useRunData();
  const atMs = useActsAt();
  const edited = useEditing()?.change;
  if (!scenario || !stage) return <p className="inspector-part quiet">Open a scenario first.</p>;
  // A flat machine has no nodes by name, so the general form says all that can be asked for.
  const pool =
    stage.cluster.flat || (edited?.kind === "inject" && edited.job.slurm === undefined)
      ? undefined
      : scenario.pools.find((_, index) => isSlurmAt(scenario, index, atMs));
  if (pool)
    return (
      <Suspense fallback={<p className="inspector-part quiet">Opening the editor …</p>}>
        <SbatchEditor scenario={scenario} stage={stage} poolId={pool.id} />
      </Suspense>
    );
  return <InjectForm scenario={scenario} stage={stage} />;
}

function InjectForm({ scenario, stage }: { readonly scenario: Scenario; readonly stage: Stage }) {
  const atMs = useActsAt();
  const edited = useEditing()?.change;
  const own = edited?.kind === "inject" ? edited.job : null;
  const machine: Machine = {
    devices: stage.cluster.deviceCount,
    nodes: stage.cluster.nodeCount,
    largestNode: largestNode(stage.cluster),
    word: stage.cluster.deviceWord,
    migProfiles: profilesOf(stage.cluster.groups),
  };
  const { draft, set, drop, note } = useKeptDraft<InjectDraft>("inject", () => {
    const empty = emptyDraft(scenario, machine);
    return own ? draftOf(own, empty) : empty;
  });
  const errors = draftErrors(draft, machine);
  const time = clockText(atMs, scenario.calendarStart);
  const need = needWords(draft, machine.word);
  const others = useOthers(scenario);
  const taken = isTaken(scenario, own?.id);
  const entry = injectEntry(draft, freeId(draft.name, taken), Math.round(atMs));
  const problems = useJobProblems(others, entry, draft);
  const problem = Object.values(errors)[0] ?? [...problems.values()][0] ?? null;
  const apply = () => {
    const id = freeId(draft.name, taken);
    const intervention = injectEntry(draft, id, actsAtMs());
    if (jobProblems(others, intervention).size > 0) return;
    drop();
    applyChange(intervention, `Inject ${id}, ${need}`);
  };
  return (
    <EditorFrame
      title="Inject a job"
      when={`submitted at ${time}`}
      apply={`Inject at ${time}`}
      problem={problem}
      onApply={apply}
    >
      {note}
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errors.name ?? null}
      />
      {!stage.cluster.flat && (
        <Select
          label="Asks for"
          value={draft.shape}
          options={[
            { value: "gpus", label: `${machine.word}s, wherever they are` },
            { value: "nodes", label: `nodes × ${machine.word}s a node` },
            { value: "share", label: `shares of a ${machine.word}` },
            { value: "mig", label: `MIG slices of a ${machine.word}` },
          ]}
          onChange={(shape) => set({ shape })}
        />
      )}
      {isPart(draft) ? (
        <PartFields draft={draft} set={set} errors={errors} machine={machine} />
      ) : draft.shape === "gpus" ? (
        <NumberField
          label={`${machine.word}s`}
          value={draft.gpus}
          least={1}
          most={LIMITS.membersPerJob}
          onChange={(gpus) => set({ gpus })}
          error={errors.gpus ?? null}
          hint={`The cluster has ${countText(machine.devices, machine.word)}.`}
        />
      ) : (
        <div className="field-pair">
          <NumberField
            label="Nodes"
            value={draft.nodes}
            least={1}
            most={LIMITS.nodes}
            onChange={(nodes) => set({ nodes })}
            error={errors.nodes ?? null}
          />
          <NumberField
            label={`${machine.word}s a node`}
            value={draft.gpusPerNode}
            least={1}
            most={LIMITS.devicesPerNode}
            onChange={(gpusPerNode) => set({ gpusPerNode })}
            error={errors.gpusPerNode ?? null}
          />
        </div>
      )}
      <div className="field-pair">
        <DurationField
          label="Run time"
          value={draft.workMs}
          most={LIMITS.workMs}
          onChange={(workMs) => set({ workMs })}
          hint="At the speed of the first GPU model."
        />
        <DurationField
          label="Time limit"
          value={draft.limitMs}
          most={LIMITS.horizonMs}
          onChange={(limitMs) => set({ limitMs })}
          hint={draft.limitMs === 0 ? "0 = no limit" : "Schedulers plan with it."}
        />
      </div>
      <div className="field-pair">
        <Select
          label="Tier"
          value={draft.tier}
          options={[
            ...(draft.tier === "" ? [{ value: "", label: "by its kind" }] : []),
            ...scenario.tiers.map((tier) => ({ value: tier.id, label: tier.name })),
          ]}
          onChange={(tier) => set({ tier })}
        />
        {scenario.teams.length > 0 && (
          <Select
            label="Team"
            value={draft.team}
            options={[
              ...(draft.team === "" ? [{ value: "", label: "none" }] : []),
              ...scenario.teams.map(({ id, name }) => ({ value: id, label: name ?? id })),
            ]}
            onChange={(team) => set({ team })}
          />
        )}
      </div>
      {problems.has("") && <p className="part-error">{problems.get("")}</p>}
      <MoreFields
        life={draft.life}
        scenario={scenario}
        problems={problems}
        onChange={(life) => set({ life })}
      />
      <p className="preview quiet" role="status">
        {draftNote(draft, scenario.killAtLimit) ||
          `${need} for ${durationText(draft.workMs)}, waiting from ${time} on.`}
      </p>
      <WhenStart scenario={others} intervention={entry} problem={problem} />
    </EditorFrame>
  );
}

/** The scenario without the change that is edited: the job is checked and tried as if it were new. */
function useOthers(scenario: Scenario): Scenario {
  const index = useEditing()?.index ?? -1;
  return useMemo(
    () => (index < 0 ? scenario : removeIntervention(scenario, index)),
    [scenario, index],
  );
}

const REST_MS = 150;

/** What the checks of the document say of the job, a moment after the last change: reading a large document takes longer than a frame. */
function useJobProblems(
  scenario: Scenario,
  entry: ReturnType<typeof injectEntry>,
  draft: InjectDraft,
): ReadonlyMap<string, string> {
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry is the draft at the cursor; a moving cursor makes nothing wrong.
  useEffect(() => {
    const timer = setTimeout(() => setProblems(jobProblems(scenario, entry)), REST_MS);
    return () => clearTimeout(timer);
  }, [scenario, draft]);
  return problems;
}

function isPart({ shape }: InjectDraft): boolean {
  return shape === "share" || shape === "mig";
}

function needWords(draft: InjectDraft, word: string): string {
  switch (draft.shape) {
    case "gpus":
      return countText(draft.gpus, word);
    case "nodes":
      return countText(draft.nodes * draft.gpusPerNode, word);
    case "share":
      return `${draft.members} × ${draft.sharePercent} % of a ${word}`;
    case "mig":
      return `${draft.members} × ${draft.migProfile}`;
  }
}

interface PartProps {
  readonly draft: InjectDraft;
  readonly set: (change: Partial<InjectDraft>) => void;
  readonly errors: ReturnType<typeof draftErrors>;
  readonly machine: Machine;
}

/** Members with a part of a GPU each. */
function PartFields({ draft, set, errors, machine }: PartProps) {
  return (
    <div className="field-pair">
      <NumberField
        label="Members"
        value={draft.members}
        least={1}
        most={LIMITS.membersPerJob}
        onChange={(members) => set({ members })}
      />
      {draft.shape === "share" ? (
        <NumberField
          label="Share of each"
          unit="%"
          value={draft.sharePercent}
          least={0.1}
          most={99.9}
          whole={false}
          onChange={(sharePercent) => set({ sharePercent })}
        />
      ) : (
        <TextField
          label="MIG profile"
          value={draft.migProfile}
          onChange={(migProfile) => set({ migProfile })}
          error={errors.migProfile ?? null}
          hint={machine.migProfiles.join(", ")}
        />
      )}
    </div>
  );
}
