/**
 * The settings of a preset as a form: starting points and a search, the first choices with the sentence of what is chosen, then
 * groups that open and say how much of them differs from the defaults.
 */
import type { ReactNode, RefObject } from "react";
import { useMemo, useRef, useState } from "react";
import { countText } from "../../../base/format.ts";
import type { SettingValue } from "../../../model/policy.ts";
import type { PolicyEntry } from "../../../scenario/schema.ts";
import type { SettingSpec } from "../../../scenario/settingSpec.ts";
import { settingValue } from "../../../scenario/settingsInEffect.ts";
import { TextField } from "../../../ui/Field.tsx";
import type { SettingsGroup } from "./presetForm.ts";
import { groupBehind, layoutOf, needsWords, settingsBehind } from "./presetForm.ts";
import { SettingField } from "./SettingField.tsx";
import { isAt, startingPoints } from "./startingPoints.ts";
import "./policy.css";

/** Fewer settings than this need neither groups nor a search. */
const GROUPED_FROM = 8;

interface PresetFormProps {
  readonly specs: readonly SettingSpec[];
  readonly policy: PolicyEntry;
  readonly onChange: (policy: PolicyEntry) => void;
}

export function PresetForm({ specs, policy, onChange }: PresetFormProps) {
  const [words, setWords] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutOf(specs, policy, words), [specs, policy, words]);
  const field = (spec: SettingSpec) => (
    <SettingField
      key={spec.key}
      spec={spec}
      value={settingValue(policy, spec)}
      onChange={(value: SettingValue) =>
        onChange({ ...policy, settings: { ...policy.settings, [spec.key]: value } })
      }
    />
  );
  if (specs.length < GROUPED_FROM) return <>{specs.map(field)}</>;
  const toggle = (name: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(name);
      else next.delete(name);
      return next;
    });
  const goTo = (name: string) => {
    toggle(name, true);
    showGroup(form, name);
  };
  const isSearch = words.trim() !== "";
  return (
    <div className="knobs" ref={form}>
      <StartingPoints preset={policy.preset} policy={policy} onChange={onChange} />
      <TextField
        label="Find a setting"
        value={words}
        {...(policy.preset === "lab" ? { placeholder: "grace, half-life, MIG, Tiresias" } : {})}
        onChange={setWords}
      />
      {layout.first.map((spec) => (
        <div key={spec.key} className="knob-first">
          {field(spec)}
          {!isSearch && settingsBehind(spec, layout.groups) > 0 && (
            <button type="button" className="link" onClick={() => goTo(groupBehind(spec))}>
              {countText(settingsBehind(spec, layout.groups), "setting")} of{" "}
              {groupBehind(spec).toLowerCase()}
            </button>
          )}
        </div>
      ))}
      {layout.groups.map((group) => (
        <GroupPart
          key={group.name}
          group={group}
          open={isSearch || open.has(group.name)}
          onToggle={(isOpen) => !isSearch && toggle(group.name, isOpen)}
          field={field}
        />
      ))}
      {layout.idle.map((spec) => (
        <p key={spec.key} className="knob-idle quiet">
          {spec.label}: has an effect {needsWords(spec, specs)}.
        </p>
      ))}
      {isSearch && layout.first.length + layout.groups.length + layout.idle.length === 0 && (
        <p className="quiet">
          No setting has “{words.trim()}” in its name.{" "}
          <button type="button" className="link" onClick={() => setWords("")}>
            Clear the search
          </button>
        </p>
      )}
    </div>
  );
}

/** Scrolls to a group and puts the focus on its head, once it is open. */
function showGroup(form: RefObject<HTMLDivElement | null>, name: string): void {
  requestAnimationFrame(() => {
    const group = form.current?.querySelector(`[data-group="${name}"]`);
    group?.scrollIntoView({ block: "start" });
    group?.querySelector("summary")?.focus({ preventScroll: true });
  });
}

interface GroupProps {
  readonly group: SettingsGroup;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
  readonly field: (spec: SettingSpec) => ReactNode;
}

function GroupPart({ group, open, onToggle, field }: GroupProps) {
  return (
    <details
      className="knob-group"
      data-group={group.name}
      open={open}
      onToggle={(event) => {
        if (event.currentTarget.open !== open) onToggle(event.currentTarget.open);
      }}
    >
      <summary>
        {group.name}
        <span className="part-note">
          {countText(group.specs.length, "setting")}
          {group.differing > 0 && <b>, {group.differing} not at the default</b>}
        </span>
      </summary>
      {open && group.specs.map(field)}
    </details>
  );
}

interface StartingProps {
  readonly preset: string;
  readonly policy: PolicyEntry;
  readonly onChange: (policy: PolicyEntry) => void;
}

function StartingPoints({ preset, policy, onChange }: StartingProps) {
  const points = useMemo(() => startingPoints(preset), [preset]);
  const [open, setOpen] = useState(false);
  const here = points.find((point) => isAt(point, policy));
  if (points.length === 0) return null;
  return (
    <details
      className="knob-group starting"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Start from a policy with a name
        <span className="part-note">{here?.label ?? ""}</span>
      </summary>
      {open && (
        <ul>
          {points.map((point) => (
            <li key={point.name}>
              <button
                type="button"
                aria-pressed={point === here}
                onClick={() => onChange(point.policy)}
              >
                {point.label}
                <small>{point.sentence}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
