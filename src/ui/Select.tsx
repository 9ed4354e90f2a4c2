/** A choice of one. The browser's own control: it works with every keyboard, screen reader and touch screen, at no weight. */
import type { ReactNode } from "react";
import { Field } from "./Field.tsx";

export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly hint?: ReactNode;
  /** The label is only for assistive technology. */
  readonly bare?: boolean;
  readonly className?: string;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const control = (attributes: object) => (
    <select
      {...attributes}
      className={props.className ?? "input select"}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value as T)}
    >
      {props.options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
  if (props.bare) return control({ "aria-label": props.label, title: props.label });
  return (
    <Field label={props.label} hint={props.hint}>
      {control}
    </Field>
  );
}
