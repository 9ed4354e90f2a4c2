/** Puts one more job into the run at the cursor. Every message stands beside the field it is about. */

import { lazy, Suspense, useState } from "react";
import { clockText, countText, durationText } from "../../../base/format.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { run } from "../../../store/commands.ts";
import { isSlurmAt } from "../../../store/slurmPools.ts";
import { useApp } from "../../../store/store.ts";
import { useCursorMs, useRunData } from "../../../store/useRun.ts";
import { NumberField, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { largestNode } from "../jobWords.ts";
import {
  draftErrors,
  draftNote,
  emptyDraft,
  freeId,
  type InjectDraft,
  injectEntry,
  type Machine,
} from "./injectDraft.ts";
import { isTaken } from "./takenIds.ts";

const SbatchEditor = lazy(async () => ({
  default: (await import("../sbatch/SbatchEditor.tsx")).SbatchEditor,
}));

export function InjectEditor() {
  const scenario = useApp((state) => state.scenario);
  const { stage } = useRunData();
  const atMs = useCursorMs();
  if (!scenario || !stage) return <p className="inspector-part quiet">Open a scenario first.</p>;
  // A flat machine has no nodes by name, so the general form says all that can be asked for.
  const pool = stage.cluster.flat
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
  const atMs = useCursorMs();
  const machine: Machine = {
    devices: stage.cluster.deviceCount,
    nodes: stage.cluster.nodeCount,
    largestNode: largestNode(stage.cluster),
    word: stage.cluster.deviceWord,
  };
  const [draft, setDraft] = useState<InjectDraft>(() => emptyDraft(scenario, machine));
  const set = (change: Partial<InjectDraft>) => setDraft((before) => ({ ...before, ...change }));
  const errors = draftErrors(draft, machine);
  const problem = Object.values(errors)[0] ?? null;
  const time = clockText(atMs, scenario.calendarStart);
  const total = draft.shape === "gpus" ? draft.gpus : draft.nodes * draft.gpusPerNode;
  const apply = () => {
    const { cursorMs } = useApp.getState();
    const id = freeId(draft.name, isTaken(scenario));
    const label = `Inject ${id}, ${countText(total, machine.word)}`;
    run("intervene", { intervention: injectEntry(draft, id, cursorMs), label });
    run("openSide", { side: "inspector" });
  };
  return (
    <EditorFrame
      title="Inject a job"
      when={`submitted at ${time}`}
      apply={`Inject at ${time}`}
      problem={problem}
      onApply={apply}
    >
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
          ]}
          onChange={(shape) => set({ shape })}
        />
      )}
      {draft.shape === "gpus" ? (
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
        <NumberField
          label="Run time"
          unit="min"
          value={draft.workMin}
          least={1}
          most={2_000_000}
          whole={false}
          onChange={(workMin) => set({ workMin })}
          hint={durationText(draft.workMin * 60_000)}
        />
        <NumberField
          label="Time limit"
          unit="min"
          value={draft.limitMin}
          least={0}
          most={2_000_000}
          whole={false}
          onChange={(limitMin) => set({ limitMin })}
          hint={draft.limitMin === 0 ? "0 = no limit" : durationText(draft.limitMin * 60_000)}
        />
      </div>
      <div className="field-pair">
        <Select
          label="Tier"
          value={draft.tier}
          options={scenario.tiers.map((tier) => ({ value: tier.id, label: tier.name }))}
          onChange={(tier) => set({ tier })}
        />
        {scenario.teams.length > 0 && (
          <Select
            label="Team"
            value={draft.team}
            options={scenario.teams.map((team) => ({
              value: team.id,
              label: team.name ?? team.id,
            }))}
            onChange={(team) => set({ team })}
          />
        )}
      </div>
      <p className="preview quiet" role="status">
        {draftNote(draft, scenario.killAtLimit) ||
          `${countText(total, machine.word)} for ${durationText(draft.workMin * 60_000)}, waiting from ${time} on.`}
      </p>
    </EditorFrame>
  );
}
