/** A duration with its unit, as people write it: "15 min", "1h 30m", "2 d". Keeps what was typed while it is not one, and tidies it up when the field is left. */
import type { ReactNode } from "react";
import { useState } from "react";
import { durationEntry, readDuration } from "../base/durationEntry.ts";
import { Field } from "./Field.tsx";

export interface DurationFieldProps {
  readonly label: string;
  /** Milliseconds. */
  readonly value: number;
  readonly onChange: (ms: number) => void;
  readonly least?: number;
  readonly most?: number;
  readonly hint?: ReactNode;
  readonly error?: string | null;
}

export function DurationField(props: DurationFieldProps) {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = props;
  const [typed, setTyped] = useState<{ text: string; of: number } | null>(null);
  const text = typed !== null && typed.of === props.value ? typed.text : durationEntry(props.value);
  const wrong = durationError(text, least, most);
  return (
    <Field label={props.label} hint={props.hint} error={wrong ?? props.error ?? null}>
      {(control) => (
        <input
          {...control}
          className="input"
          value={text}
          onChange={(event) => {
            const next = event.target.value;
            const ms = durationError(next, least, most) === null ? readDuration(next) : null;
            if (ms === null) return setTyped({ text: next, of: props.value });
            setTyped({ text: next, of: Math.round(ms) });
            props.onChange(Math.round(ms));
          }}
          onBlur={() => wrong === null && setTyped(null)}
        />
      )}
    </Field>
  );
}

/** What is wrong with a duration as typed, or null. */
function durationError(text: string, least: number, most: number): string | null {
  const ms = readDuration(text);
  if (ms === null) return "Write a time with its unit: 90 s, 15 min, 1 h 30 min, 2 d.";
  if (ms < least) return `The least is ${durationEntry(least)}.`;
  if (ms > most) return `The most is ${durationEntry(most)}.`;
  return null;
}
