/** One field of an object. What is typed goes into the text as soon as it is a value; until then it stays here, with what is wrong. */
import { useEffect, useRef, useState } from "react";
import { NOT_SAID } from "../../../../scenario/kubernetes/form/fields.ts";
import type { FormInput, FormValue } from "../../../../scenario/kubernetes/form/formSpec.ts";
import { Field } from "../../../../ui/Field.tsx";
import { shownOf, typedValue } from "./formValue.ts";

export interface FormFieldProps {
  readonly value: FormValue;
  /** Puts a value into the text, null takes it out; what is wrong, if it cannot. */
  readonly onValue: (value: FormInput) => string | null;
  /** Shows the line of the text that it stands in. */
  readonly onLine: (line: number) => void;
}

interface Typed {
  readonly text: string;
  /** What the text said when it was typed (null: it has said the new value since), and what it says once it has it. */
  readonly before: string | null;
  readonly of: string;
  readonly wrong: string | null;
}

/** What holds where the text says nothing; that nothing is said needs no second word. */
function absentWords(absent: string): string {
  return absent === "not set" || absent === NOT_SAID
    ? " Not in the text."
    : ` Not in the text: ${absent}.`;
}

export function FormField({ value, onValue, onLine }: FormFieldProps) {
  const { field, text, line } = value;
  const show = useRef(onLine);
  show.current = onLine;
  const hasFocus = useRef(false);
  // A value that has just been put in has a line from now on.
  useEffect(() => {
    if (hasFocus.current) show.current(line);
  }, [line]);
  const [typed, setTyped] = useState<Typed | null>(null);
  // What the text says by now goes before what was typed when it said something else; a long text says it only when it has been read.
  const held = typed !== null && (typed.of === text || typed.before === text) ? typed : null;
  // From then on the text leads again: Ctrl+Z brings the value before back.
  useEffect(() => {
    setTyped((last) => (last?.of === text ? { ...last, before: null } : last));
  }, [text]);
  const change = (next: string) => {
    const read = typedValue(field, next);
    const wrong = read.ok ? onValue(read.value) : read.error;
    const put = read.ok && wrong === null ? shownOf(read.value, text) : text;
    setTyped({ text: next, before: text, of: put, wrong });
  };
  const absent = field.absent === undefined ? "not set" : field.absent;
  const shown = held?.text ?? text;
  const isChoice = field.kind === "enum" || field.kind === "boolean";
  const focus = {
    onFocus: () => {
      hasFocus.current = true;
      onLine(line);
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
  return (
    <div className="setting" data-changed={text === "" ? undefined : ""}>
      <Field
        label={field.label}
        error={held?.wrong ?? null}
        hint={`${field.sentence}${text === "" && !isChoice ? absentWords(absent) : ""}`}
      >
        {(control) =>
          isChoice ? (
            <select
              {...control}
              {...focus}
              className="input select mono"
              value={shown}
              onChange={(event) => change(event.target.value)}
            >
              {!field.needed && <option value="">{absent} (not in the text)</option>}
              {optionsOf(field.options ?? ["true", "false"], text).map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...control}
              {...focus}
              className="input mono"
              value={shown}
              placeholder={absent}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change(event.target.value)}
            />
          )
        }
      </Field>
    </div>
  );
}

/** The choices, and what stands in the text where it is none of them. */
function optionsOf(options: readonly string[], text: string): readonly string[] {
  return text === "" || options.includes(text) ? options : [...options, text];
}
