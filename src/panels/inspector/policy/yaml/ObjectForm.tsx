/** The objects of a YAML text as a form: one line each that opens to its fields. Each change edits the text in place, and the form is read from the text again. */
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type {
  FormList,
  FormObject,
  FormPart,
  FormValue,
  Path,
  TextOnly,
} from "../../../../scenario/kubernetes/form/formSpec.ts";
import { leftOut } from "../../../../scenario/kubernetes/form/leftOut.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { FormField, type FormFieldProps } from "./FormField.tsx";
import type { YamlForm } from "./useYamlForm.ts";

export interface ObjectFormProps {
  readonly preset: string;
  readonly text: string;
  readonly form: YamlForm;
  readonly onChange: (text: string, place: string) => void;
  /** Shows a line of the text beside. */
  readonly onLine: (line: number) => void;
}

export function ObjectForm({ preset, text, form, onChange, onLine }: ObjectFormProps) {
  const { code, objects, heads, isBehind, isReading, isTooLong } = form;
  if (code === null) return null;
  const notes = leftOut(preset, heads).map(({ line, sentence }) => (
    <p key={line} className="part-note" role="status">
      {sentence}
    </p>
  ));
  if (isTooLong)
    return (
      <>
        <p className="quiet">The text is too long for a form: it is edited as text.</p>
        {notes}
      </>
    );
  const put = (object: FormObject, { path }: FormValue): FormFieldProps["onValue"] => {
    return (value) => {
      const next = code.edit.withInput(text, object.document, path, value);
      if (next === null) return "The text does not let this be put in here: write it there.";
      onChange(next, `${object.document} ${JSON.stringify(path)}`);
      return null;
    };
  };
  const set = (next: string | null, what: string) => {
    if (next !== null) onChange(next, `${what} ${text.length}`);
  };
  return (
    <fieldset className="yaml-form" disabled={isBehind}>
      <legend className="sr-only">Objects</legend>
      {isBehind && (
        <p className="part-note" role="status">
          The text is no YAML as it stands. The form shows what it said last, and waits.
        </p>
      )}
      {isReading && (
        <p className="part-note" role="status">
          Reading the text …
        </p>
      )}
      {notes}
      {objects.map((object) => (
        <ObjectPart
          key={object.document}
          object={object}
          put={put}
          onLine={onLine}
          waits={isReading}
          onRemove={() =>
            set(code.objects.withoutObject(text, object.document), `remove ${object.document}`)
          }
          onAddItem={(list) =>
            set(code.edit.withItem(text, object.document, list), `item ${object.document}`)
          }
          onRemoveItem={(path) =>
            set(code.edit.withoutItem(text, object.document, path), `item ${object.document}`)
          }
        />
      ))}
      <AddObject
        kinds={code.objects.newObjects(preset).map(({ kind }) => kind)}
        waits={isReading}
        onAdd={(index) =>
          set(
            code.objects.withObject(text, code.objects.newObjects(preset)[index]!, objects),
            "add",
          )
        }
      />
    </fieldset>
  );
}

interface ObjectPartProps {
  readonly object: FormObject;
  readonly put: (object: FormObject, value: FormValue) => FormFieldProps["onValue"];
  readonly onLine: (line: number) => void;
  /** The form is that of an earlier text. */
  readonly waits: boolean;
  readonly onRemove: () => void;
  readonly onAddItem: (list: FormList) => void;
  readonly onRemoveItem: (path: Path) => void;
}

const WAITS = "the text is being read";

function ObjectPart(props: ObjectPartProps) {
  const { object, onLine, waits, onRemove, onAddItem } = props;
  const [open, setOpen] = useState(false);
  const { kind, name, line, parts, lists, textOnly } = object;
  const title = name === "" ? kind : `${kind} ${name}`;
  return (
    <details
      className="slurm-card"
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (event.currentTarget.open) onLine(line);
      }}
    >
      <summary>
        <code>{title}</code>
        <span className="part-note">{factsOf(parts)}</span>
      </summary>
      {open && (
        <div className="yaml-object">
          {parts.length === 0 && (
            <p className="quiet">The form has nothing of this kind: it stands in the text.</p>
          )}
          {parts.map((part) => (
            <PartFields key={JSON.stringify(part.values[0]?.path)} {...props} part={part} />
          ))}
          <TextOnlyPart all={textOnly} />
          {lists.map((list) => (
            <Button
              key={list.words}
              label={`Add ${list.words} to ${title}`}
              icon={Plus}
              look="plain"
              disabledReason={waits ? WAITS : null}
              onClick={() => onAddItem(list)}
            >
              Add {list.words}
            </Button>
          ))}
          <Button
            label={`Remove ${title}`}
            icon={Trash2}
            look="plain"
            disabledReason={waits ? WAITS : null}
            onClick={onRemove}
          >
            Remove {kind}
          </Button>
        </div>
      )}
    </details>
  );
}

function PartFields({
  part: { title, values, item },
  object,
  put,
  onLine,
  waits,
  onRemoveItem,
}: ObjectPartProps & { readonly part: FormPart }) {
  const fields = values.map((value) => (
    <FormField
      key={JSON.stringify(value.path)}
      value={value}
      onValue={put(object, value)}
      onLine={onLine}
    />
  ));
  if (title === "") return <>{fields}</>;
  return (
    <fieldset className="yaml-row">
      <legend>{title}</legend>
      {fields}
      {item !== null && (
        <Button
          label={`Remove ${title} of ${object.kind} ${object.name}`.trim()}
          icon={Trash2}
          look="plain"
          disabledReason={waits ? WAITS : null}
          onClick={() => onRemoveItem(item)}
        >
          Remove {title}
        </Button>
      )}
    </fieldset>
  );
}

/** What the form has no field for, and why. */
function TextOnlyPart({ all }: { readonly all: readonly TextOnly[] }) {
  if (all.length === 0) return null;
  return (
    <details className="yaml-only">
      <summary>In the text only: {all.length}</summary>
      <dl>
        {all.map(({ path, reason }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What is most telling of an object while it is closed: the first field of each row with its name, else of the object. */
function factsOf(parts: readonly FormPart[]): string {
  const rows = parts.filter(({ title }) => title !== "");
  const told = (rows.length > 0 ? rows : parts).flatMap(({ title, values }) => {
    const first = values.find(({ field, text }) => field.kind !== "text" && text !== "");
    if (!first) return [];
    const what = `${first.field.label} ${first.text}`;
    return [title === "" ? what : `${title}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`];
  });
  return told.slice(0, 2).join("; ") + (told.length > 2 ? "; …" : "");
}

function AddObject({
  kinds,
  waits,
  onAdd,
}: {
  readonly kinds: readonly string[];
  readonly waits: boolean;
  readonly onAdd: (index: number) => void;
}) {
  const [chosen, setChosen] = useState("0");
  const index = Math.min(Number(chosen), kinds.length - 1);
  if (kinds.length === 0) return null;
  return (
    <div className="slurm-add">
      <Select
        label="One more object"
        value={String(index)}
        options={kinds.map((kind, at) => ({ value: String(at), label: kind }))}
        onChange={setChosen}
      />
      <Button
        label={`Add ${kinds[index]}`}
        disabledReason={waits ? WAITS : null}
        onClick={() => onAdd(index)}
      >
        Add
      </Button>
    </div>
  );
}
