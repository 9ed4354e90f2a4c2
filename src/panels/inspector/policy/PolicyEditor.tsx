/**
 * The policy of a pool as a form made from the preset's settings, so a new setting appears here without a change. It acts from
 * the cursor on as an entry in the list of changes, or from the start by editing the document; what will differ is said before.
 */
import { useState } from "react";
import { circledNumber, clockText, numberText } from "../../../base/format.ts";
import type { SettingValue } from "../../../model/policy.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { PolicyEntry, Scenario } from "../../../scenario/schema.ts";
import { PRESETS, presetOf, type SettingSpec } from "../../../scenario/settings.ts";
import { run } from "../../../store/commands.ts";
import { editDocument } from "../../../store/documents.ts";
import { useApp } from "../../../store/store.ts";
import { useCursorMs } from "../../../store/useRun.ts";
import { Check } from "../../../ui/Check.tsx";
import { NumberField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { EditorFrame } from "../EditorFrame.tsx";
import { leanPolicy, settingChanges, settingValue } from "./settingWords.ts";

export function PolicyEditor() {
  const scenario = useApp((state) => state.scenario);
  const atMs = useCursorMs();
  const [poolId, setPoolId] = useState(scenario?.pools[0]?.id ?? "");
  const [from, setFrom] = useState<"cursor" | "start">("cursor");
  const [edited, setEdited] = useState<PolicyEntry | null>(null);
  if (!scenario) return null;
  const time = clockText(atMs, scenario.calendarStart);
  const before =
    from === "cursor"
      ? policyAt(scenario, poolId, atMs)
      : (scenario.pools.find((pool) => pool.id === poolId)?.policy ??
        policyAt(scenario, poolId, 0));
  const draft = edited ?? before;
  const changes = settingChanges(before, draft);
  const apply = () => {
    const label = changes.map((change) => `${change.label}: ${change.to}`).join(", ");
    if (from === "start")
      void editDocument(withPolicy(scenario, poolId, draft), `${label}, from the start`);
    else {
      const pool = scenario.pools.length > 1 ? { pool: poolId } : {};
      run("intervene", {
        intervention: { kind: "policy", ...pool, policy: leanPolicy(draft) },
        label,
      });
    }
    run("openSide", { side: "inspector" });
  };
  return (
    <EditorFrame
      title="Change policy"
      when={from === "cursor" ? `from ${time} on` : "from the start"}
      apply={from === "cursor" ? `Apply from ${time}` : "Apply from the start"}
      problem={changes.length === 0 ? "Nothing differs yet." : null}
      onApply={apply}
    >
      {scenario.pools.length > 1 && (
        <Select
          label="Pool"
          value={poolId}
          options={scenario.pools.map((pool) => ({ value: pool.id, label: pool.id }))}
          onChange={(id) => {
            setPoolId(id);
            setEdited(null);
          }}
        />
      )}
      {PRESETS.length > 1 && (
        <Select
          label="Scheduler"
          value={draft.preset}
          options={PRESETS.map((preset) => ({ value: preset.id, label: preset.label }))}
          onChange={(preset) => setEdited({ preset, settings: {} })}
          hint={presetOf(draft.preset)?.sentence}
        />
      )}
      {presetOf(draft.preset)?.settings.map((spec) => (
        <SettingField
          key={spec.key}
          spec={spec}
          value={settingValue(draft, spec)}
          onChange={(value) =>
            setEdited({ ...draft, settings: { ...draft.settings, [spec.key]: value } })
          }
        />
      ))}
      <fieldset className="choices">
        <legend>From when</legend>
        <Choice
          name="from"
          value="cursor"
          chosen={from}
          onChange={setFrom}
          label={`From ${time} on`}
          sentence="Everything before stays as it is."
        />
        <Choice
          name="from"
          value="start"
          chosen={from}
          onChange={setFrom}
          label="From the start"
          sentence="Edits the scenario itself; the whole run is computed anew."
        />
      </fieldset>
      <Preview
        changes={changes}
        overridden={
          from === "start" ? laterChange(scenario, poolId, -1) : laterChange(scenario, poolId, atMs)
        }
      />
    </EditorFrame>
  );
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
    if (change.kind !== "policy" || change.atMs <= atMs) return;
    if (change.pool !== undefined && change.pool !== poolId) return;
    if (first < 0 || change.atMs < scenario.interventions[first]!.atMs) first = index;
  });
  return first + 1;
}

function Preview({
  changes,
  overridden,
}: {
  readonly changes: readonly { label: string; from: string; to: string }[];
  readonly overridden: number;
}) {
  return (
    <section className="preview" aria-label="What will change">
      <h3>What will change</h3>
      {changes.length === 0 ? (
        <p className="quiet">Nothing yet.</p>
      ) : (
        <ul>
          {changes.map((change) => (
            <li key={change.label}>
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

/** Above this a list of radio buttons with sentences pushes the rest of the form out of sight. */
const MOST_RADIOS = 3;

interface SettingFieldProps {
  readonly spec: SettingSpec;
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
}

function SettingField({ spec, value, onChange }: SettingFieldProps) {
  switch (spec.kind) {
    case "enum":
      if (spec.options.length > MOST_RADIOS) {
        return (
          <Select
            label={spec.label}
            value={String(value)}
            options={spec.options}
            onChange={onChange}
            hint={spec.options.find((option) => option.value === value)?.sentence}
          />
        );
      }
      return (
        <fieldset className="choices">
          <legend title={spec.sentence}>{spec.label}</legend>
          {spec.options.map((option) => (
            <Choice
              key={option.value}
              name={spec.key}
              value={option.value}
              chosen={String(value)}
              onChange={onChange}
              label={option.label}
              sentence={option.sentence}
            />
          ))}
        </fieldset>
      );
    case "boolean":
      return (
        <Check
          label={spec.label}
          checked={value === true}
          onChange={onChange}
          hint={spec.sentence}
        />
      );
    case "integer":
      return (
        <NumberField
          label={spec.label}
          value={Number(value)}
          least={spec.least}
          most={spec.most}
          onChange={onChange}
          hint={`${spec.sentence} ${numberText(spec.least)} to ${numberText(spec.most)}.`}
        />
      );
    case "duration":
      return (
        <NumberField
          label={spec.label}
          value={Number(value) / 1_000}
          least={spec.least / 1_000}
          most={spec.most / 1_000}
          whole={false}
          unit="s"
          onChange={(seconds) => onChange(Math.round(seconds * 1_000))}
          hint={spec.sentence}
        />
      );
  }
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly chosen: string;
  readonly onChange: (value: T) => void;
  readonly label: string;
  readonly sentence: string;
}

function Choice<T extends string>({
  name,
  value,
  chosen,
  onChange,
  label,
  sentence,
}: ChoiceProps<T>) {
  return (
    <label className="choice">
      <input type="radio" name={name} checked={chosen === value} onChange={() => onChange(value)} />
      <span>
        {label}
        <small>{sentence}</small>
      </span>
    </label>
  );
}
