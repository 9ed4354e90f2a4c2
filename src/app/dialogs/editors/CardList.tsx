/** Entries of a list as forms that open: each can be copied and removed. Keys reach all of it in reading order; what is added has the focus. */
import { Copy, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Json, JsonObject } from "../../../base/json.ts";
import { Button } from "../../../ui/Button.tsx";
import type { FieldSpec } from "../../../ui/fields/fieldSpec.ts";
import type { Schema } from "../../../ui/fields/leaf.ts";
import { SpecFields } from "../../../ui/fields/SpecFields.tsx";
import { freeId, type Part } from "./usePart.ts";

interface CardListProps {
  readonly part: Part;
  /** Key of the list in the part, and the pointer of the list in the document. */
  readonly listKey: string;
  readonly pointer: string;
  readonly one: string;
  readonly specs: readonly FieldSpec[];
  readonly schema: Schema;
  /** What a new entry begins with. */
  readonly first: () => JsonObject;
  /** A list that may not be empty. */
  readonly needsOne?: boolean;
  readonly caption: (entry: JsonObject) => string;
  readonly more?: (entry: JsonObject, index: number) => ReactNode;
}

const OPEN_AT_FIRST = 2;

export function CardList(props: CardListProps) {
  const { part, listKey, one, first } = props;
  const own = useRef<HTMLDivElement>(null);
  const entries = (part.value[listKey] ?? []) as readonly JsonObject[];
  const [added, setAdded] = useState(-1);
  const put = (list: readonly Json[]) => part.set({ ...part.value, [listKey]: list });
  const ids = entries.map(({ id }) => String(id));
  useEffect(() => {
    if (added < 0) return;
    const card = own.current?.querySelectorAll<HTMLElement>(".editor-card").item(added);
    card?.querySelector<HTMLElement>("input, select")?.focus();
    card?.scrollIntoView({ block: "nearest" });
  }, [added]);
  const insert = (entry: JsonObject, at: number) => {
    put(entries.toSpliced(at, 0, { ...entry, id: freeId(String(entry.id), ids) }));
    setAdded(at);
  };
  return (
    <div ref={own}>
      {entries.map((entry, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place; names change while they are typed.
          key={index}
          {...props}
          entry={entry}
          index={index}
          open={entries.length <= OPEN_AT_FIRST || index === added}
          last={entries.length === 1 && props.needsOne === true}
          onEntry={(next) => put(entries.with(index, next as JsonObject))}
          onCopy={() => insert(entry, index + 1)}
          onRemove={() => put(entries.toSpliced(index, 1))}
        />
      ))}
      <Button label={`Add a ${one}`} icon={Plus} onClick={() => insert(first(), entries.length)} />
    </div>
  );
}

interface CardProps extends CardListProps {
  readonly entry: JsonObject;
  readonly index: number;
  readonly open: boolean;
  readonly last: boolean;
  readonly onEntry: (entry: Json) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

function Card(props: CardProps) {
  const { part, pointer, one, specs, schema, entry, index, caption, more } = props;
  const [open, setOpen] = useState(props.open);
  const own = part.context(`${pointer}/${index}`);
  const name = String(entry.id ?? index + 1);
  const wrong = own.problemAt("");
  return (
    <details
      className="editor-card"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {name} <span className="part-note">{caption(entry)}</span>
      </summary>
      {open && (
        <>
          {wrong !== null && (
            <p className="field-error" role="alert">
              {wrong}
            </p>
          )}
          <div className="spec-grid">
            <SpecFields
              specs={specs}
              schema={schema}
              value={entry}
              onChange={props.onEntry}
              context={own}
            />
          </div>
          {more?.(entry, index)}
          <div className="editor-acts">
            <Button label={`Copy ${one} ${name}`} icon={Copy} onClick={props.onCopy} />
            <Button
              label={`Remove ${one} ${name}`}
              icon={Trash2}
              disabledReason={props.last ? "it is the only one" : null}
              onClick={props.onRemove}
            />
          </div>
        </>
      )}
    </details>
  );
}
