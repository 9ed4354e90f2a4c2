/** Entries with many fields: a form each, which opens; and the single forms of network, storage, fleet and the run. */
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Json, JsonObject } from "../../base/json.ts";
import { Button } from "../../ui/Button.tsx";
import { keysOf, valueAt, withValue } from "../../ui/fields/paths.ts";
import { SpecFields } from "../../ui/fields/SpecFields.tsx";
import { DemandPreview } from "./DemandPreview.tsx";
import type { EditorProps } from "./entries.ts";
import { entriesOf, withEntries, withEntry } from "./entries.ts";
import { pointerOf } from "./rulesDraft.ts";
import { entryName, entrySchema } from "./tables.ts";

/** So many cards are open from the start. */
const OPEN_AT_FIRST = 2;

export function CardsEditor(props: EditorProps) {
  const entries = entriesOf(props.rules, props.table);
  return (
    <div className="rules-cards">
      {entries.map((entry, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place; names change while they are typed.
          key={index}
          {...props}
          entry={entry}
          index={index}
          openFirst={entries.length <= OPEN_AT_FIRST || index === entries.length - 1}
        />
      ))}
    </div>
  );
}

interface CardProps extends EditorProps {
  readonly entry: Json;
  readonly index: number;
  readonly openFirst: boolean;
}

function Card({ table, rules, onChange, context, scenario, entry, index, openFirst }: CardProps) {
  const [open, setOpen] = useState(openFirst);
  const name = entryName(table, entry, index);
  const own = context(pointerOf(table, index));
  const isWrong = own.problemAt("") !== null;
  return (
    <details
      className="rules-card"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{name}</summary>
      {open && (
        <>
          {isWrong && <p className="field-error">{own.problemAt("")}</p>}
          <div className="spec-grid">
            <SpecFields
              specs={table.fields}
              schema={entrySchema(table)}
              value={entry}
              onChange={(next) => onChange(withEntry(rules, table, index, next))}
              context={own}
            />
          </div>
          {table.id === "services" && (
            <DemandPreview
              demand={valueAt(entry, ["demand"])}
              calendarStart={scenario.calendarStart}
              untilMs={scenario.horizonMs}
            />
          )}
          {table.first && (
            <Button
              label={`Remove ${name}`}
              icon={Trash2}
              onClick={() =>
                onChange(withEntries(rules, table, entriesOf(rules, table).toSpliced(index, 1)))
              }
            />
          )}
        </>
      )}
    </details>
  );
}

/** One object, or the document itself. */
export function OneEditor({ table, rules, onChange, context }: EditorProps) {
  const path = keysOf(table.place);
  const value = valueAt(rules, path);
  return (
    <>
      <div className="spec-grid">
        <SpecFields
          specs={table.fields}
          schema={entrySchema(table)}
          value={value}
          onChange={(next) => onChange(withValue(rules, path, next) as JsonObject)}
          context={context(pointerOf(table))}
        />
      </div>
      {table.first && (
        <Button
          label={`Remove the ${table.one}`}
          icon={Trash2}
          onClick={() => onChange(withValue(rules, path, undefined) as JsonObject)}
        />
      )}
    </>
  );
}
