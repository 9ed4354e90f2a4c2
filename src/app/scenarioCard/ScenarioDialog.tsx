/** What the scenario says of itself, to be edited in one step: title, question, seed, end of the run, calendar. */
import { type FormEvent, useId } from "react";
import { durationText } from "../../base/format.ts";
import { LIMITS } from "../../model/limits.ts";
import { useKeptDraft } from "../../panels/inspector/changes/keptDraft.tsx";
import { firstDifferenceMs } from "../../scenario/interventions.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { editDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { runData } from "../../store/runData.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/Check.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { DurationField } from "../../ui/DurationField.tsx";
import { Field, NumberField, TextField } from "../../ui/Field.tsx";
import { type CardDraft, cardErrors, cardOf, changedFields, withCard } from "./cardDraft.ts";
import "./scenarioCard.css";

export function ScenarioDialog() {
  const scenario = useApp((state) => state.scenario);
  return scenario && <Card scenario={scenario} />;
}

const SEED_MOST = 4_294_967_295;

function Card({ scenario }: { readonly scenario: Scenario }) {
  const form = useId();
  const { draft, set, drop, note } = useKeptDraft<CardDraft>("scenario", () =>
    cardOf(scenario, runData.get().current.endMs),
  );
  const errors = cardErrors(draft, scenario);
  const after = withCard(scenario, draft);
  const changed = changedFields(scenario, after);
  const problem =
    Object.values(errors)[0] ?? (changed.length === 0 ? "Nothing differs yet." : null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = event.currentTarget.querySelector<HTMLElement>("[aria-invalid]");
    if (wrong) wrong.focus();
    else if (problem === null) {
      drop();
      closeDialog();
      void save(after, `Change ${changed.join(", ")}`);
    }
  };
  return (
    <Dialog
      title="This scenario"
      description="What it is called and asks, and the frame of its run. Saved is one step, which Undo takes back; all of it is in the link."
      open
      onClose={closeDialog}
      actions={
        <>
          <button
            type="submit"
            form={form}
            className="button button-primary"
            aria-disabled={problem !== null || undefined}
            title={problem ?? "Save"}
          >
            Save
          </button>
          <Button label="Cancel" onClick={closeDialog} />
        </>
      }
    >
      <form id={form} className="scenario-card" onSubmit={submit}>
        {note}
        <TextField
          label="Title"
          value={draft.title}
          error={errors.title ?? null}
          onChange={(title) => set({ title })}
        />
        <Field
          label="Question"
          hint="What it is looked at for; it stands above the sheet."
          error={errors.question ?? null}
        >
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={2}
              value={draft.question}
              onChange={(event) => set({ question: event.target.value })}
            />
          )}
        </Field>
        <NumberField
          label="Seed"
          value={draft.seed}
          most={SEED_MOST}
          onChange={(seed) => set({ seed })}
          hint={seedHint(scenario)}
        />
        <End draft={draft} errors={errors} set={set} />
        <Calendar draft={draft} errors={errors} set={set} />
        <p className="preview quiet" role="status">
          {consequence(scenario, after, changed)}
        </p>
      </form>
    </Dialog>
  );
}

interface PartProps {
  readonly draft: CardDraft;
  readonly errors: ReturnType<typeof cardErrors>;
  readonly set: (change: Partial<CardDraft>) => void;
}

function End({ draft, errors, set }: PartProps) {
  return (
    <div className="scenario-pair">
      <Check
        label="Ends at a time"
        checked={draft.ends}
        onChange={(ends) => set({ ends })}
        hint={draft.ends ? "What still runs then is cut off." : "It ends when its last job has."}
      />
      {draft.ends && (
        <DurationField
          label="End of the run"
          value={draft.horizonMs}
          least={1_000}
          most={LIMITS.horizonMs}
          error={errors.horizonMs ?? null}
          hint={`${durationText(draft.horizonMs)} after its start.`}
          onChange={(horizonMs) => set({ horizonMs })}
        />
      )}
    </div>
  );
}

function Calendar({ draft, errors, set }: PartProps) {
  return (
    <div className="scenario-pair">
      <Check
        label="Has a calendar"
        checked={draft.dated}
        onChange={(dated) => set({ dated })}
        hint={
          draft.dated ? "In a zone of its own: its clock never jumps." : "Days count from Day 1."
        }
      />
      {draft.dated && (
        <TextField
          label="The run starts at"
          value={draft.start}
          error={errors.start ?? null}
          hint="Day and time of its first moment: 2026-03-02 08:00."
          onChange={(start) => set({ start })}
        />
      )}
    </div>
  );
}

function seedHint({ workload, failures }: Scenario): string {
  const drawn = workload.synthetic.length > 0 || failures.length > 0;
  return drawn
    ? "Another number draws other arrivals, sizes, run times and failures."
    : "Nothing is drawn here: no classes of jobs, no failures. Another number changes nothing.";
}

function consequence(before: Scenario, after: Scenario, changed: readonly string[]): string {
  if (changed.length === 0) return "Nothing differs yet.";
  const differsMs = firstDifferenceMs(before, after);
  if (differsMs === Number.POSITIVE_INFINITY) return "The run stays as it is.";
  return differsMs === "base"
    ? "The run is computed anew."
    : "The run is computed on from its former end.";
}

async function save(scenario: Scenario, label: string): Promise<void> {
  if (await editDocument(scenario, label)) notify(`${label}: done.`, true);
}
