/** The editor of changes that have no editor of their own: what they name, and when. Its checks are those of the document. */
import { useMemo } from "react";
import { LIMITS } from "../../../model/limits.ts";
import { replaceIntervention } from "../../../scenario/interventions.ts";
import { movedIntervention } from "../../../scenario/movedIntervention.ts";
import { readScenario } from "../../../scenario/read.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { runData } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { jobIdxOfId } from "../../../timeline/jobNames.ts";
import { Check } from "../../../ui/Check.tsx";
import { DurationField } from "../../../ui/DurationField.tsx";
import { NumberField, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { changeWords } from "./changeWords.ts";
import { applyChange, type Editing, useEditing } from "./editing.ts";
import { useKeptDraft } from "./keptDraft.tsx";

export function ChangeForm() {
  const scenario = useApp((state) => state.scenario);
  const editing = useEditing();
  return scenario && editing && <Form scenario={scenario} editing={editing} />;
}

interface FormProps {
  readonly scenario: Scenario;
  readonly editing: Editing;
}

function Form({ scenario, editing }: FormProps) {
  const { index, atMs } = editing;
  const {
    draft: typed,
    set,
    drop,
    note,
  } = useKeptDraft("change", () => ({ change: editing.change }));
  const draft = typed.change;
  const setDraft = (change: Intervention) => set({ change });
  const changed = movedIntervention({ ...draft, atMs: editing.change.atMs }, atMs);
  const after = useMemo(
    () => replaceIntervention(scenario, index, { ...changed, off: undefined } as Intervention),
    [scenario, index, changed],
  );
  const { title, detail } = changeWords(
    after,
    index,
    runData.get().stage?.cluster.deviceWord ?? "GPU",
  );
  const problem = wrong(after, draft, index);
  return (
    <EditorFrame
      title={title}
      when=""
      apply="Apply"
      problem={problem}
      onApply={() => {
        drop();
        applyChange(changed, title);
      }}
    >
      {note}
      <Fields draft={draft} scenario={scenario} set={setDraft} />
      <TextField
        label="Note"
        value={draft.note ?? ""}
        hint="For those who read it; nothing depends on it."
        onChange={(note) => setDraft({ ...draft, note: note === "" ? undefined : note })}
      />
      <p className="preview quiet" role="status">
        {title}: {detail}.
      </p>
    </EditorFrame>
  );
}

/** What the document says against it. Jobs of logs and drawn ones are known to the run alone. O(document). */
function wrong(after: Scenario, draft: Intervention, index: number): string | null {
  const place = `/interventions/${index}`;
  const read = readScenario(after);
  const own = read.ok ? undefined : read.error.find((one) => one.place.startsWith(place));
  if (own) return `${own.message} ${own.remedy}`;
  const { stage } = runData.get();
  if (stage === null || !("job" in draft) || typeof draft.job !== "string") return null;
  const isKnown = jobIdxOfId(stage.jobs.ids, draft.job) >= 0 || !read.ok;
  // An array has no job of its own name in the table: its tasks have.
  const isArray = jobIdxOfId(stage.jobs.ids, `${draft.job}_0`) >= 0;
  return isKnown || isArray ? null : `There is no job “${draft.job}”.`;
}

interface FieldsProps {
  readonly draft: Intervention;
  readonly scenario: Scenario;
  readonly set: (draft: Intervention) => void;
}

function Fields({ draft, scenario, set }: FieldsProps) {
  if (draft.kind === "unreserve")
    return (
      <TextField
        label="Reservation"
        value={draft.name}
        onChange={(name) => set({ ...draft, name })}
      />
    );
  if (!("job" in draft)) return null;
  if (draft.kind === "inject")
    return (
      <p className="quiet">Its job has more parts than a form shows; its time can be changed.</p>
    );
  return (
    <>
      <TextField label="Job" value={draft.job} onChange={(job) => set({ ...draft, job })} />
      {draft.kind === "retier" && (
        <Select
          label="To tier"
          value={draft.tier}
          options={scenario.tiers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(tier) => set({ ...draft, tier })}
        />
      )}
      {draft.kind === "hold" && (
        <Select
          label="Held by"
          value={draft.by}
          options={[
            { value: "admin", label: "an administrator" },
            { value: "user", label: "its user" },
          ]}
          onChange={(by) => set({ ...draft, by })}
        />
      )}
      {draft.kind === "requeue" && (
        <Check
          label="Held until it is released"
          checked={draft.hold}
          onChange={(hold) => set({ ...draft, hold })}
        />
      )}
      {draft.kind === "update" && <UpdateFields draft={draft} set={set} />}
    </>
  );
}

type Update = Extract<Intervention, { kind: "update" }>;

/** What was changed of the job: a value that was not given is not asked for. */
function UpdateFields({
  draft,
  set,
}: {
  readonly draft: Update;
  readonly set: FieldsProps["set"];
}) {
  return (
    <>
      {draft.limitMs !== undefined && (
        <DurationField
          label="Time limit"
          value={draft.limitMs}
          least={1_000}
          most={LIMITS.horizonMs}
          onChange={(limitMs) => set({ ...draft, limitMs })}
        />
      )}
      {draft.nice !== undefined && (
        <NumberField
          label="Nice"
          value={draft.nice}
          least={-2_147_483_645}
          most={2_147_483_645}
          onChange={(nice) => set({ ...draft, nice })}
        />
      )}
      {draft.priority !== undefined && (
        <NumberField
          label="Priority"
          value={draft.priority}
          most={4_294_967_293}
          onChange={(priority) => set({ ...draft, priority })}
        />
      )}
    </>
  );
}
