/** One control of a form over the document, by what the schema says of the field. */
import { useState } from "react";
import { durationEntry, readDuration } from "../../base/durationEntry.ts";
import type { Json } from "../../base/json.ts";
import type { LeafSpec } from "./fieldSpec.ts";
import type { Leaf } from "./leaf.ts";
import { readText, textOf } from "./readEntry.ts";

/** Longer lists of names are typed, not ticked. */
const MOST_TICKS = 12;

export interface EntryProps {
  readonly spec: LeafSpec;
  readonly leaf: Leaf;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Names that the document declares, for a field of names. */
  readonly names: readonly string[];
  /** Attributes of the control: id, label, description, whether it is wrong. */
  readonly control: object;
}

export function Entry(props: EntryProps) {
  const { spec, leaf, names } = props;
  if (spec.as === "interval") return <IntervalEntry {...props} />;
  if (spec.as !== undefined) return <TextEntry {...props} />;
  switch (leaf.kind) {
    case "check":
      return <CheckEntry {...props} />;
    case "choice":
      return <ChoiceEntry {...props} options={leaf.options.map(String)} />;
    case "list":
      if (spec.names !== undefined && names.length > 0 && names.length <= MOST_TICKS)
        return <Ticks {...props} />;
      return <TextEntry {...props} />;
    case "text":
      if (spec.names !== undefined && names.length > 0)
        return <ChoiceEntry {...props} options={names} />;
      return <TextEntry {...props} />;
    default:
      return <TextEntry {...props} />;
  }
}

function TextEntry({ spec, leaf, value, onChange, control }: EntryProps) {
  const [typed, setTyped] = useState<{ text: string; of: Json | undefined } | null>(null);
  const text = typed !== null && typed.of === value ? typed.text : textOf(value, leaf, spec);
  const isNumber = leaf.kind === "integer" || leaf.kind === "number";
  return (
    <input
      {...control}
      className={isNumber ? "input entry-number" : "input"}
      inputMode={isNumber && spec.as === undefined ? "decimal" : undefined}
      value={text}
      placeholder={spec.absent}
      onChange={(event) => {
        const next = readText(event.target.value, leaf, spec);
        setTyped({ text: event.target.value, of: next });
        onChange(next);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function CheckEntry({ value, onChange, control }: EntryProps) {
  return (
    <input
      {...control}
      type="checkbox"
      className="entry-check"
      checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

function ChoiceEntry({
  spec,
  leaf,
  value,
  onChange,
  control,
  options,
}: EntryProps & { readonly options: readonly string[] }) {
  const chosen = value === undefined ? "" : String(value);
  const known = chosen === "" || options.includes(chosen) ? options : [chosen, ...options];
  const isNumber = typeof leaf.options[0] === "number";
  return (
    <select
      {...control}
      className="input select"
      value={chosen}
      onChange={(event) => {
        const next = event.target.value;
        onChange(next === "" ? undefined : isNumber ? Number(next) : next);
      }}
    >
      {(leaf.optional || chosen === "") && <option value="">{spec.absent ?? "–"}</option>}
      {known.map((option) => (
        <option key={option} value={option}>
          {spec.words?.[option] ?? option}
        </option>
      ))}
    </select>
  );
}

function Ticks({ spec, leaf, value, onChange, names, control }: EntryProps) {
  const ticked = Array.isArray(value) ? value.map(String) : [];
  const all = [...names, ...ticked.filter((name) => !names.includes(name))];
  return (
    <fieldset className="ticks" {...control}>
      {all.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={ticked.includes(name)}
            onChange={(event) => {
              const next = all.filter((each) =>
                each === name ? event.target.checked : ticked.includes(each),
              );
              onChange(next.length === 0 && leaf.optional ? undefined : next);
            }}
          />
          <span>{name}</span>
        </label>
      ))}
      {ticked.length === 0 && spec.absent && <span className="part-note">{spec.absent}</span>}
    </fieldset>
  );
}

const INTERVALS: Readonly<Record<string, string>> = {
  never: "never",
  young: "by Young’s formula",
  daly: "by Daly’s formula",
};
const FIRST_INTERVAL_MS = 1_800_000;

/** A duration, or a word for how it is found. */
function IntervalEntry({ value, onChange, control }: EntryProps) {
  const isTime = typeof value === "number" || (typeof value === "string" && !(value in INTERVALS));
  const [typed, setTyped] = useState<{ text: string; of: Json | undefined } | null>(null);
  const own = typeof value === "number" ? durationEntry(value) : String(value ?? "");
  const text = typed !== null && typed.of === value ? typed.text : own;
  return (
    <span className="input-unit">
      <select
        {...control}
        className="input select"
        value={isTime ? "every" : String(value ?? "never")}
        onChange={(event) =>
          onChange(event.target.value === "every" ? FIRST_INTERVAL_MS : event.target.value)
        }
      >
        {Object.entries(INTERVALS).map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
        <option value="every">every</option>
      </select>
      {isTime && (
        <input
          className="input"
          aria-label="Time between checkpoints"
          value={text}
          onChange={(event) => {
            const next = readDuration(event.target.value) ?? event.target.value;
            setTyped({ text: event.target.value, of: next });
            onChange(next);
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </span>
  );
}
