/**
 * One setting of a preset as a control, by its kind: radio buttons with a sentence each where there are few options, else a list
 * with the sentence of the chosen one below. What differs from the default is marked and can be taken back.
 */
import { Undo2 } from "lucide-react";
import { numberText } from "../../../base/format.ts";
import type { SettingValue } from "../../../model/policy.ts";
import type { SettingSpec } from "../../../scenario/settingSpec.ts";
import { Button } from "../../../ui/Button.tsx";
import { Check } from "../../../ui/Check.tsx";
import { DurationField } from "../../../ui/DurationField.tsx";
import { NumberField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { valueWords } from "./settingWords.ts";

/** Above this a list of radio buttons with sentences pushes the rest of the form out of sight. */
const MOST_RADIOS = 3;

interface SettingFieldProps {
  readonly spec: SettingSpec;
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
}

export function SettingField({ spec, value, onChange }: SettingFieldProps) {
  const changed = value !== spec.standard;
  return (
    <div className="knob" data-setting={spec.key} data-changed={changed || undefined}>
      <Control spec={spec} value={value} onChange={onChange} />
      {changed && (
        <div className="knob-foot">
          <span>Default: {valueWords(spec, spec.standard)}</span>
          <Button
            label={`Reset ${spec.label}`}
            icon={Undo2}
            look="plain"
            onClick={() => onChange(spec.standard)}
          >
            Reset
          </Button>
        </div>
      )}
    </div>
  );
}

function Control({ spec, value, onChange }: SettingFieldProps) {
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
          <legend>{spec.label}</legend>
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
    case "number":
      return (
        <NumberField
          label={spec.label}
          value={Number(value)}
          least={spec.least}
          most={spec.most}
          whole={spec.kind === "integer"}
          {...(spec.unit === undefined ? {} : { unit: spec.unit })}
          onChange={onChange}
          hint={`${spec.sentence} ${numberText(spec.least, decimals(spec.least))} to ${numberText(spec.most)}.`}
        />
      );
    case "duration":
      return (
        <DurationField
          label={spec.label}
          value={Number(value)}
          least={spec.orZero === true ? 0 : spec.least}
          most={spec.most}
          onChange={onChange}
          hint={spec.sentence}
        />
      );
  }
}

function decimals(value: number): number {
  return String(value).split(".")[1]?.length ?? 0;
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly chosen: string;
  readonly onChange: (value: T) => void;
  readonly label: string;
  readonly sentence: string;
}

export function Choice<T extends string>({
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
