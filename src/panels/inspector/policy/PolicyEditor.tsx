/**
 * The policy of a pool as a form made from the preset's settings, so a new setting appears here without a change; Slurm has its own
 * settings beside. It acts from the cursor on as an entry in the list of changes, or from the start by editing the document; what
 * will differ is said before.
 */
import { useMemo, useState } from "react";
import { circledNumber, clockText } from "../../../base/format.ts";
import { YAML_PRESETS } from "../../../scenario/kubernetes/familyPresets.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { PolicyEntry, Scenario } from "../../../scenario/schema.ts";
import type { SettingSpec } from "../../../scenario/settingSpec.ts";
import { PRESETS, presetOf } from "../../../scenario/settings.ts";
import { textsOf } from "../../../scenario/slurm/textsOf.ts";
import { run } from "../../../store/commands.ts";
import { editDocument } from "../../../store/documents.ts";
import { useApp } from "../../../store/store.ts";
import { Select } from "../../../ui/Select.tsx";
import { applyChange, type Editing, useActsAt, useEditing } from "../changes/editing.ts";
import { EditorFrame } from "../EditorFrame.tsx";
import { PresetForm } from "./PresetForm.tsx";
import { OtherSystems } from "./platforms/OtherSystems.tsx";
import { changesLine, policyChanges, textsIn } from "./policyChanges.ts";
import { usePolicyDraft, withPreset } from "./policyDraft.ts";
import { settled } from "./presetForm.ts";
import { Choice } from "./SettingField.tsx";
import type { SettingChange } from "./settingWords.ts";
import { leanPolicy } from "./settingWords.ts";
import { useCheck } from "./slurm/check.ts";
import { SlurmSettings } from "./slurm/SlurmSettings.tsx";
import { SlurmSheet } from "./slurm/SlurmSheet.tsx";
import { useTextHistory } from "./slurm/textHistory.ts";
import { LostQueueNote, useLostQueues } from "./yaml/LostQueueNote.tsx";
import { FORM_MOST, useYamlRead } from "./yaml/useYamlRead.ts";
import { YamlSettings } from "./yaml/YamlSettings.tsx";

export function PolicyEditor() {
  const scenario = useApp((state) => state.scenario);
  return scenario && <Editor scenario={scenario} />;
}

const NO_SPECS: readonly SettingSpec[] = [];
const NO_TEXTS = { conf: "", gres: "", topology: "", accounting: "" };

function Editor({ scenario }: { readonly scenario: Scenario }) {
  const atMs = useActsAt();
  const editing = useEditing();
  const { draft: held, set, drop, isBack } = usePolicyDraft(scenario, editing);
  const { poolId, from, edited } = held;
  const [sheetOpen, setSheetOpen] = useState(false);
  const time = clockText(atMs, scenario.calendarStart);
  const before = editing
    ? policyAt(scenario, poolId, atMs, editing.index)
    : policyBefore(scenario, poolId, from, atMs);
  const draft = edited ?? before;
  const specs = presetOf(draft.preset)?.settings ?? NO_SPECS;
  const texts = textsIn(draft);
  const findings = useCheck(texts, scenario, poolId);
  const yaml = YAML_PRESETS.has(draft.preset) ? (draft.yaml ?? "") : null;
  const reading = useYamlRead(yaml);
  const [yamlFinding] = reading.findings;
  const lost = useLostQueues(
    draft.preset,
    reading,
    scenario.pools.findIndex(({ id }) => id === poolId),
    from === "start" ? 0 : atMs,
  );
  const history = useTextHistory(texts ?? NO_TEXTS, (slurm) =>
    set({ edited: { ...draft, slurm } }),
  );
  const changes = useMemo(
    () => policyChanges(scenario, poolId, before, settled(draft, before, specs)),
    [scenario, poolId, before, draft, specs],
  );
  const wrong = findings.find((finding) => finding.kind === "problem");
  const problem =
    changes.length === 0
      ? "Nothing differs yet."
      : wrong
        ? `${wrong.file}, line ${wrong.line}: ${wrong.sentence}`
        : yamlFinding
          ? `YAML, line ${yamlFinding.line}: ${yamlFinding.sentence}`
          : reading.isBehind && (yaml ?? "").length > FORM_MOST
            ? "The YAML is being read."
            : null;
  const label = from === "cursor" ? `Apply from ${time}` : "Apply from the start";
  const apply = () => {
    drop();
    setSheetOpen(false);
    applyPolicy(
      scenario,
      poolId,
      poolOf(scenario, poolId, editing),
      from,
      settled(draft, before, specs),
      changes,
    );
  };
  return (
    <>
      <EditorFrame
        title="Change policy"
        when={from === "cursor" ? `from ${time} on` : "from the start"}
        apply={label}
        problem={problem}
        onApply={apply}
      >
        {isBack && edited !== null && (
          <p className="part-note">
            Edits that were not applied are back.{" "}
            <button type="button" className="link" onClick={drop}>
              Discard them
            </button>
          </p>
        )}
        {scenario.pools.length > 1 && editing === null && (
          <Select
            label="Pool"
            value={poolId}
            options={scenario.pools.map((pool) => ({ value: pool.id, label: pool.id }))}
            onChange={(id) => set({ poolId: id, edited: null, left: [] })}
          />
        )}
        <Select
          label="Scheduler"
          value={draft.preset}
          options={PRESETS.map((preset) => ({ value: preset.id, label: preset.label }))}
          onChange={(preset) =>
            set(withPreset(held, preset, firstOf(preset, before, scenario, poolId)))
          }
          hint={presetOf(draft.preset)?.sentence}
        />
        <OtherSystems
          onTake={(preset, settings) => {
            const taken = firstOf(preset, before, scenario, poolId);
            set({ edited: { ...taken, settings: { ...taken.settings, ...settings } } });
          }}
        />
        {texts !== null && (
          <SlurmSettings
            files={texts}
            findings={findings}
            history={history}
            onOpenSheet={() => setSheetOpen(true)}
            onStart={() => history.set(textsOf(scenario, poolId), "start")}
          />
        )}
        {yaml !== null && (
          <YamlSettings
            key={draft.preset}
            preset={draft.preset}
            value={yaml}
            reading={reading}
            onChange={(text) => set({ edited: { ...draft, yaml: text } })}
            foot={{ apply: label, problem, onApply: apply, note: <LostQueueNote queues={lost} /> }}
          />
        )}
        <PresetForm specs={specs} policy={draft} onChange={(policy) => set({ edited: policy })} />
        {editing === null && (
          <fieldset className="choices">
            <legend>From when</legend>
            <Choice
              name="from"
              value="cursor"
              chosen={from}
              onChange={(value) => set({ from: value })}
              label={`From ${time} on`}
              sentence="Everything before stays as it is."
            />
            <Choice
              name="from"
              value="start"
              chosen={from}
              onChange={(value) => set({ from: value })}
              label="From the start"
              sentence="Edits the scenario itself; the whole run is computed anew."
            />
          </fieldset>
        )}
        <Preview
          changes={changes}
          overridden={laterChange(scenario, poolId, from === "start" ? -1 : atMs)}
        />
        {lost.length > 0 && (
          <p className="part-error" role="status">
            <LostQueueNote queues={lost} />
          </p>
        )}
      </EditorFrame>
      {sheetOpen && texts !== null && (
        <SlurmSheet
          files={texts}
          findings={findings}
          history={history}
          changes={changes}
          apply={label}
          problem={problem}
          onApply={apply}
          onClose={() => setSheetOpen(false)}
        />
      )}
    </>
  );
}

function policyBefore(
  scenario: Scenario,
  poolId: string,
  from: "cursor" | "start",
  atMs: number,
): PolicyEntry {
  const own = scenario.pools.find((pool) => pool.id === poolId)?.policy;
  return from === "start" && own ? own : policyAt(scenario, poolId, atMs);
}

/** A preset as it is chosen: the one in force as it is; Slurm anew with what the scenario says, in its words. */
function firstOf(
  preset: string,
  before: PolicyEntry,
  scenario: Scenario,
  poolId: string,
): PolicyEntry {
  if (preset === before.preset) return before;
  if (preset !== "slurm") return { preset, settings: {} };
  return { preset, settings: {}, slurm: textsOf(scenario, poolId) };
}

const NOTE_MOST = 1_000;

/** The pool that a change names: none where there is one, or where the change that is edited is for all. */
function poolOf(scenario: Scenario, poolId: string, editing: Editing | null): string | undefined {
  const edited = editing?.change;
  if (edited?.kind === "policy") return edited.pool;
  return scenario.pools.length > 1 ? poolId : undefined;
}

function applyPolicy(
  scenario: Scenario,
  poolId: string,
  pool: string | undefined,
  from: "cursor" | "start",
  draft: PolicyEntry,
  changes: readonly SettingChange[],
): void {
  const label = changesLine(changes);
  const policy = leanPolicy(draft);
  if (from === "start") {
    void editDocument(withPolicy(scenario, poolId, draft), `${label}, from the start`);
    run("openSide", { side: "inspector" });
  } else {
    const where = pool === undefined ? {} : { pool };
    const words = changes.map((change) => `${change.label}: ${change.from} → ${change.to}`);
    const note = policy.slurm ? { note: words.join(", ").slice(0, NOTE_MOST) } : {};
    applyChange({ kind: "policy", ...where, policy, ...note }, label);
  }
}

function withPolicy(scenario: Scenario, poolId: string, policy: PolicyEntry): Scenario {
  return {
    ...scenario,
    pools: scenario.pools.map((pool) =>
      pool.id === poolId ? { ...pool, policy: leanPolicy(policy) } : pool,
    ),
  };
}

/** Number of the next later change of this pool's policy, which takes over then; 0 if none. */
function laterChange(scenario: Scenario, poolId: string, atMs: number): number {
  let first = -1;
  scenario.interventions.forEach((change, index) => {
    if (change.kind !== "policy" || change.off || change.atMs <= atMs) return;
    if (change.pool !== undefined && change.pool !== poolId) return;
    if (first < 0 || change.atMs < scenario.interventions[first]!.atMs) first = index;
  });
  return first + 1;
}

function Preview({
  changes,
  overridden,
}: {
  readonly changes: readonly SettingChange[];
  readonly overridden: number;
}) {
  return (
    <section className="preview" aria-label="What will change">
      <h3>What will change</h3>
      {changes.length === 0 ? (
        <p className="quiet">Nothing yet.</p>
      ) : (
        <ul>
          {changes.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lists of one object have one label, and a line holds no state
            <li key={index}>
              {change.label}: <span className="quiet">{change.from}</span> → <b>{change.to}</b>
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && overridden > 0 && (
        <p className="quiet">Change {circledNumber(overridden)} sets the policy again later on.</p>
      )}
    </section>
  );
}
