/** A table of the rules with a row for each entry: every cell is a field, and what is wrong stands below its row. */
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { Json, JsonObject } from "../../base/json.ts";
import { Button } from "../../ui/Button.tsx";
import { Entry } from "../../ui/fields/Entry.tsx";
import type { LeafSpec } from "../../ui/fields/fieldSpec.ts";
import { leafOf } from "../../ui/fields/leaf.ts";
import { keysOf, valueAt, withValue } from "../../ui/fields/paths.ts";
import type { FormContext } from "../../ui/fields/SpecFields.tsx";
import { fieldError } from "../../ui/fields/SpecFields.tsx";
import type { EditorProps } from "./entries.ts";
import { entriesOf, moved, withEntries, withEntry } from "./entries.ts";
import { pointerOf } from "./rulesDraft.ts";
import { entryName, entrySchema } from "./tables.ts";

const ID_SPEC: LeafSpec = {
  key: "id",
  label: "Id",
  sentence: "What jobs refer to; the id of one that was there stays.",
  width: 72,
};

export function GridEditor(props: EditorProps) {
  const { table, rules, onChange, context } = props;
  const [told, setTold] = useState("");
  const rows = entriesOf(rules, table);
  const schema = entrySchema(table);
  const hasIds = table.id === "tiers" || table.id === "teams";
  const specs = [...(hasIds ? [ID_SPEC] : []), ...(table.fields as readonly LeafSpec[])];
  return (
    <>
      <div className="rules-scroll">
        <table className="rules-grid">
          <thead>
            <tr>
              {specs.map((spec) => (
                <th key={spec.key} scope="col" title={spec.sentence}>
                  {spec.label}
                  {spec.unit && <small>{spec.unit}</small>}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Change the row</span>
              </th>
            </tr>
          </thead>
          <tbody onFocus={(event) => setTold(sentenceOf(event.target, specs))}>
            {rows.map((row, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; ids change while they are typed.
                key={index}
                {...props}
                row={row}
                index={index}
                count={rows.length}
                specs={specs}
                schema={schema}
                rowContext={context(pointerOf(table, index))}
                onRow={(next) => onChange(withEntry(rules, table, index, next))}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="rules-told quiet" aria-hidden>
        {told || "Each cell says here what it means."}
      </p>
    </>
  );
}

function sentenceOf(target: EventTarget, specs: readonly LeafSpec[]): string {
  const cell = target instanceof Element ? target.closest("td[data-key]") : null;
  const spec = specs.find((each) => each.key === cell?.getAttribute("data-key"));
  return spec ? `${spec.label}: ${spec.sentence}` : "";
}

interface RowProps extends EditorProps {
  readonly row: Json;
  readonly index: number;
  readonly count: number;
  readonly specs: readonly LeafSpec[];
  readonly schema: ReturnType<typeof entrySchema>;
  readonly rowContext: FormContext;
  readonly onRow: (row: Json) => void;
}

function Row(props: RowProps) {
  const { table, rules, onChange, row, index, count, specs, schema, rowContext, onRow } = props;
  const id = useId();
  const name = entryName(table, row, index);
  const errors = specs.flatMap((spec) => {
    const message = fieldError(spec, schema, row, rowContext);
    return message === null ? [] : [{ spec, message }];
  });
  const own = rowContext.problemAt("");
  const wrong = [
    ...(own === null ? [] : [own]),
    ...errors.map(({ spec, message }) => `${spec.label}: ${message}`),
  ];
  return (
    <>
      <tr>
        {specs.map((spec) => (
          <td key={spec.key} data-key={spec.key} style={{ minWidth: spec.width }}>
            {spec.key === "id" && props.isOld((row as JsonObject).id) ? (
              <code>{String((row as JsonObject).id)}</code>
            ) : (
              <Entry
                spec={spec}
                leaf={leafOf(schema, spec.key)}
                value={valueAt(row, keysOf(spec.key))}
                onChange={(value) => onRow(withValue(row, keysOf(spec.key), value))}
                names={namesFor(spec, row, rowContext)}
                control={{
                  "aria-label": `${spec.label}${spec.unit ? ` (${spec.unit})` : ""} of ${name}`,
                  title: spec.sentence,
                  ...(errors.some((each) => each.spec === spec)
                    ? { "aria-invalid": true, "aria-describedby": id }
                    : {}),
                }}
              />
            )}
          </td>
        ))}
        <td className="rules-acts">
          {table.ordered && (
            <>
              <Button
                label={`Move ${name} up`}
                icon={ArrowUp}
                look="icon"
                disabledReason={index === 0 ? "it is the first" : null}
                onClick={() => onChange(moved(rules, table, index, -1))}
              />
              <Button
                label={`Move ${name} down`}
                icon={ArrowDown}
                look="icon"
                disabledReason={index === count - 1 ? "it is the last" : null}
                onClick={() => onChange(moved(rules, table, index, 1))}
              />
            </>
          )}
          <Button
            label={`Remove ${name}`}
            icon={Trash2}
            look="icon"
            disabledReason={table.id === "tiers" && count === 1 ? "a scenario has a tier" : null}
            onClick={() =>
              onChange(withEntries(rules, table, entriesOf(rules, table).toSpliced(index, 1)))
            }
          />
        </td>
      </tr>
      {wrong.length > 0 && (
        <tr className="rules-wrong">
          <td colSpan={specs.length + 1} id={id} role="alert">
            {wrong.map((message) => (
              <p key={message} className="field-error">
                {message}
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

/** Names to choose from: a limit is of a team or a tier, and no team stands within itself. */
function namesFor(spec: LeafSpec, row: Json, context: FormContext): readonly string[] {
  const { per, id } = row as JsonObject;
  if (spec.key === "parent") return context.names("teams").filter((name) => name !== id);
  if (spec.key === "name" && per === "team") return context.names("teams");
  if (spec.key === "name" && per === "tier") return context.names("tiers");
  return context.names(spec.names);
}
