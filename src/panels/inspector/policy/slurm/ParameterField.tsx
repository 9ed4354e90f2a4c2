/**
 * One parameter: its name as in the manual, its value or its default, what it does, where a run differs. What is typed goes into
 * the text as it is; a value that is not one of the parameter is told below and stays in the text until it is changed.
 */
import { RotateCcw } from "lucide-react";
import { memo } from "react";
import type { Parameter, ParameterKind } from "../../../../scenario/slurm/parameterKinds.ts";
import { parameterValue } from "../../../../scenario/slurm/parameterKinds.ts";
import type { SetValue } from "../../../../scenario/slurm/setValues.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field } from "../../../../ui/Field.tsx";
import { isChanged } from "./formFilter.ts";

export interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly set: SetValue | undefined;
  /** What holds where nothing is set: Slurm's default, or that of a DEFAULT line. */
  readonly standard: string;
  /** An empty value takes the setting away. */
  readonly onChange: (parameter: Parameter, set: SetValue | undefined, value: string) => void;
  /** Shows its line in the text. */
  readonly onLine?: (line: number) => void;
}

/** Renders only when its own setting has changed: the texts are read anew at each key. */
export const ParameterField = memo(Fields, (before, after) => {
  const [one, other] = [before.set, after.set];
  return (
    one?.value === other?.value &&
    one?.written === other?.written &&
    one?.line === other?.line &&
    before.parameter === after.parameter &&
    before.standard === after.standard &&
    before.onChange === after.onChange &&
    before.onLine === after.onLine
  );
});

function Fields(props: ParameterFieldProps) {
  const { parameter, set, standard, onChange, onLine } = props;
  const { name, kind, sentence, link, standing, differs, sinceNote } = parameter;
  const usual = kind.is === "flag" ? "no" : standard;
  const changed = isChanged(set, standard, kind);
  const read = set === undefined || set.value === "" ? null : wrongValue(kind, set.value);
  const change = (value: string): void => onChange(parameter, set, value);
  return (
    <div className="setting" data-changed={changed || undefined}>
      <Field
        label={name}
        error={read}
        hint={
          <>
            {sentence}
            {standing === "approximated" && differs && (
              <>
                {" "}
                <b>Approximated:</b> {differs}.
              </>
            )}
            {sinceNote && ` ${sinceNote}`}
          </>
        }
      >
        {(control) => (
          <span className="setting-row">
            <Control
              kind={kind}
              value={set?.value ?? ""}
              usual={usual}
              control={{ ...control, onFocus: () => set !== undefined && onLine?.(set.line) }}
              onChange={change}
            />
          </span>
        )}
      </Field>
      <div className="setting-foot">
        <span>{standingOf(set !== undefined, changed, usual)}</span>
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`${name} in the manual`}
        >
          Manual
        </a>
        {set !== undefined && (
          <Button
            label={`Reset ${name}`}
            icon={RotateCcw}
            look="plain"
            hint={usual === "" ? `Take ${name} out of the text` : `Back to ${usual}`}
            onClick={() => change("")}
          >
            Reset
          </Button>
        )}
      </div>
    </div>
  );
}

function standingOf(isSet: boolean, isChanged: boolean, usual: string) {
  if (isChanged)
    return (
      <>
        <b>changed</b> · {usual === "" ? "not set by default" : `default ${usual}`}
      </>
    );
  if (isSet) return "set to its default";
  return usual === "" ? "not set" : `default ${usual}`;
}

function wrongValue(kind: ParameterKind, value: string): string | null {
  if (kind.is === "special") return null;
  const read = parameterValue(kind, value);
  return read.ok ? null : `"${value.slice(0, 40)}": ${read.error}`;
}

interface ControlProps {
  readonly kind: ParameterKind;
  /** "" = not set. */
  readonly value: string;
  readonly usual: string;
  readonly control: object;
  readonly onChange: (value: string) => void;
}

function Control({ kind, value, usual, control, onChange }: ControlProps) {
  const options = optionsOf(kind);
  if (options === null) {
    return (
      <input
        {...control}
        className="input mono"
        value={value}
        placeholder={usual === "" ? "not set" : usual}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const known = options.find((option) => option.toLowerCase() === value.toLowerCase());
  const other = value !== "" && known === undefined ? [value] : [];
  return (
    <select
      {...control}
      className="input select mono"
      value={known ?? value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{usual === "" ? "not set" : `${usual} (default)`}</option>
      {[...options, ...other].map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

/** The words of a choice, one for each value; null: any text. */
function optionsOf(kind: ParameterKind): readonly string[] | null {
  switch (kind.is) {
    case "flag":
      return ["yes"];
    case "boolean":
      return ["YES", "NO"];
    case "choice": {
      const seen = new Set<unknown>();
      return Object.entries(kind.values).flatMap(([name, value]) => {
        if (seen.has(value)) return [];
        seen.add(value);
        return [name];
      });
    }
    case "special":
      return kind.offers ?? null;
    default:
      return null;
  }
}
