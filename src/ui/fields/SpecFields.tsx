/** A list of field specs as a form: each with its label, its sentence or what is wrong with it; parts behind a check mark. */
import { Fragment } from "react";
import type { Json } from "../../base/json.ts";
import { Check } from "../Check.tsx";
import { Field } from "../Field.tsx";
import { Entry } from "./Entry.tsx";
import type { FieldSpec, LeafSpec, NamesOf, PartSpec } from "./fieldSpec.ts";
import { isPart } from "./fieldSpec.ts";
import type { Schema } from "./leaf.ts";
import { completed, leafOf, schemaAt } from "./leaf.ts";
import { keysOf, valueAt, withValue } from "./paths.ts";
import { entryError } from "./readEntry.ts";
import "./fields.css";

/** What the fields of a form share. */
export interface FormContext {
  readonly names: (of: NamesOf | undefined) => readonly string[];
  /** What is wrong at a place below the entry, from the checks of the document. */
  readonly problemAt: (key: string) => string | null;
}

interface SpecFieldsProps {
  readonly specs: readonly FieldSpec[];
  readonly schema: Schema;
  /** The entry that the keys of the specs lie in. */
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
  readonly context: FormContext;
}

export function SpecFields({ specs, schema, value, onChange, context }: SpecFieldsProps) {
  return (
    <>
      {specs.map((spec) =>
        isPart(spec) ? (
          <Part
            key={spec.key}
            spec={spec}
            schema={schema}
            value={value}
            onChange={onChange}
            context={context}
          />
        ) : (
          isShown(spec, value, context) && (
            <Fragment key={spec.key}>
              {spec.section && <h4 className="spec-head">{spec.section}</h4>}
              <LeafField
                spec={spec}
                schema={schema}
                value={value}
                onChange={onChange}
                context={context}
              />
            </Fragment>
          )
        ),
      )}
    </>
  );
}

/** Whether a field has an effect, and something to choose from if it is a name. */
function isShown(
  { when, names, key }: LeafSpec,
  value: Json | undefined,
  context: FormContext,
): boolean {
  const own = valueAt(value, keysOf(key));
  const isSet = own !== undefined && (!Array.isArray(own) || own.length > 0);
  if (names !== undefined && !isSet && context.names(names).length === 0) return false;
  if (when === undefined) return true;
  return when.is.some((each) => each === (valueAt(value, keysOf(when.key)) ?? false));
}

/** The message of a field: of what was typed first, then of the checks. */
export function fieldError(
  spec: LeafSpec,
  schema: Schema,
  entry: Json | undefined,
  context: FormContext,
): string | null {
  const own = entryError(valueAt(entry, keysOf(spec.key)), leafOf(schema, spec.key), spec);
  return own ?? context.problemAt(spec.key);
}

interface LeafProps extends Omit<SpecFieldsProps, "specs"> {
  readonly spec: LeafSpec;
}

function LeafField({ spec, schema, value, onChange, context }: LeafProps) {
  const leaf = leafOf(schema, spec.key);
  const path = keysOf(spec.key);
  const error = fieldError(spec, schema, value, context);
  const set = (next: Json | undefined) => onChange(withValue(value, path, next));
  if (leaf.kind === "check")
    return (
      <Check
        label={spec.label}
        checked={valueAt(value, path) === true}
        onChange={(checked) => set(checked || !leaf.optional ? checked : undefined)}
        hint={error ?? spec.sentence}
      />
    );
  return (
    <Field label={spec.label} hint={spec.sentence} error={error}>
      {(control) => {
        const entry = (
          <Entry
            spec={spec}
            leaf={leaf}
            value={valueAt(value, path)}
            onChange={set}
            names={context.names(spec.names)}
            control={leaf.kind === "list" ? { ...control, "aria-label": spec.label } : control}
          />
        );
        if (spec.unit === undefined) return entry;
        return (
          <span className="input-unit">
            {entry}
            <span className="unit">{spec.unit}</span>
          </span>
        );
      }}
    </Field>
  );
}

interface PartProps extends Omit<SpecFieldsProps, "specs"> {
  readonly spec: PartSpec;
}

function Part({ spec, schema, value, onChange, context }: PartProps) {
  const path = keysOf(spec.key);
  const present = valueAt(value, path) !== undefined;
  const problem = context.problemAt(spec.key);
  const toggle = (on: boolean) =>
    onChange(
      withValue(value, path, on ? completed(schemaAt(schema, spec.key), spec.first) : undefined),
    );
  return (
    <div className="spec-part">
      <Check label={spec.label} checked={present} onChange={toggle} hint={spec.sentence} />
      {problem !== null && <p className="field-error">{problem}</p>}
      {present && (
        <div className="spec-grid">
          <SpecFields
            specs={spec.fields.map((field) => ({
              ...field,
              key: `${spec.key}.${field.key}`,
              ...("when" in field && field.when
                ? { when: { ...field.when, key: `${spec.key}.${field.when.key}` } }
                : {}),
            }))}
            schema={schema}
            value={value}
            onChange={onChange}
            context={context}
          />
        </div>
      )}
    </div>
  );
}
