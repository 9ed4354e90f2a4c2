/**
 * Form fields: a label above, a hint or an error below, tied together for assistive technology. Number fields hand out a
 * value only when the text is a number in range, and keep what was typed while it is not.
 */

import type { ReactNode } from "react";
import { useId, useState } from "react";

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  /** Renders the control with these attributes. */
  readonly children: (control: {
    id: string;
    "aria-describedby"?: string;
    "aria-invalid"?: true;
  }) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(below ? { "aria-describedby": `${id}-below` } : {}),
        ...(error ? { "aria-invalid": true as const } : {}),
      })}
      {below && (
        <div
          id={`${id}-below`}
          className={error ? "field-error" : "field-hint"}
          role={error ? "alert" : undefined}
        >
          {below}
        </div>
      )}
    </div>
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly placeholder?: string;
}

export function TextField(props: TextFieldProps) {
  return (
    <Field label={props.label} hint={props.hint} error={props.error ?? null}>
      {(control) => (
        <input
          {...control}
          className="input"
          value={props.value}
          placeholder={props.placeholder}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly least?: number;
  readonly most?: number;
  /** Whole numbers only, unless false. */
  readonly whole?: boolean;
  readonly unit?: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
}

export function NumberField(props: NumberFieldProps) {
  const { least = 0, most = Number.MAX_SAFE_INTEGER, whole = true } = props;
  const [typed, setTyped] = useState<{ text: string; of: number } | null>(null);
  const text = typed !== null && typed.of === props.value ? typed.text : String(props.value);
  const wrong = numberError(text, least, most, whole);
  return (
    <Field label={props.label} hint={props.hint} error={wrong ?? props.error ?? null}>
      {(control) => (
        <span className="input-unit">
          <input
            {...control}
            className="input"
            inputMode={whole ? "numeric" : "decimal"}
            value={text}
            onChange={(event) => {
              const next = event.target.value;
              if (numberError(next, least, most, whole) === null) {
                setTyped({ text: next, of: Number(next) });
                props.onChange(Number(next));
              } else setTyped({ text: next, of: props.value });
            }}
          />
          {props.unit && <span className="unit">{props.unit}</span>}
        </span>
      )}
    </Field>
  );
}

/** What is wrong with a number as typed, or null. */
function numberError(text: string, least: number, most: number, whole: boolean): string | null {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return "Type a number.";
  if (whole && !Number.isInteger(value)) return "Type a whole number.";
  if (value < least) return `The least is ${least}.`;
  if (value > most) return `The most is ${most}.`;
  return null;
}
