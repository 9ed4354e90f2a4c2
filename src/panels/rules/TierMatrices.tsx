/** Two tables of check marks below the tiers: whose jobs may preempt whose, and which kinds of job belong where. */
import type { Json, JsonObject } from "../../base/json.ts";
import { sameJson } from "../../base/json.ts";
import { JOB_KINDS } from "../../model/jobs.ts";
import { withValue } from "../../ui/fields/paths.ts";
import type { EditorProps } from "./entries.ts";
import { entriesOf, withEntries, withEntry } from "./entries.ts";
import { entryName } from "./tables.ts";

interface Marks {
  readonly title: string;
  readonly sentence: string;
  readonly columns: readonly { readonly key: string; readonly label: string }[];
  readonly isOn: (row: number, column: string) => boolean;
  /** Absent: the mark means nothing here. */
  readonly isOpen: (row: number, column: string) => boolean;
  readonly label: (row: string, column: string) => string;
  readonly set: (row: number, column: string, on: boolean) => void;
}

export function TierMatrices(props: EditorProps) {
  const { table, rules, onChange } = props;
  const tiers = entriesOf(rules, table) as readonly JsonObject[];
  const names = tiers.map((tier, index) => entryName(table, tier, index));
  return (
    <div className="rules-matrices">
      <Matrix
        names={names}
        marks={{
          title: "May preempt",
          sentence: "A row’s jobs may preempt a column’s; at first all tiers below.",
          columns: tiers.map((tier, index) => ({ key: String(tier.id), label: names[index]! })),
          isOn: (row, column) => mayPreempt(tiers, row).includes(column),
          isOpen: (row, column) => tiers[row]?.id !== column,
          label: (row, column) => `${row} may preempt ${column}`,
          set: (row, column, on) =>
            onChange(withEntry(rules, table, row, withPreempt(tiers, row, column, on))),
        }}
      />
      <Matrix
        names={names}
        marks={{
          title: "Kinds of job",
          sentence: "Jobs of a kind that name no tier belong to the tier with the mark.",
          columns: JOB_KINDS.map((kind) => ({ key: kind, label: kind })),
          isOn: (row, column) => kindsOf(tiers[row]).includes(column),
          isOpen: () => true,
          label: (row, column) => `${column} jobs belong to ${row}`,
          set: (row, column, on) =>
            onChange(
              withEntries(
                rules,
                table,
                tiers.map((tier, index) => withKind(tier, column, on && index === row)),
              ),
            ),
        }}
      />
    </div>
  );
}

const idsBelow = (tiers: readonly JsonObject[], row: number): readonly string[] =>
  tiers.slice(row + 1).map((tier) => String(tier.id));

/** Whom the jobs of a tier may preempt: what is written, else every tier below. */
export function mayPreempt(tiers: readonly JsonObject[], row: number): readonly string[] {
  const written = tiers[row]?.mayPreempt;
  return Array.isArray(written) ? written.map(String) : idsBelow(tiers, row);
}

/** The tier with a mark set or taken away; the list goes where it says what holds without it. */
export function withPreempt(
  tiers: readonly JsonObject[],
  row: number,
  column: string,
  on: boolean,
): Json {
  const before = mayPreempt(tiers, row);
  const ids = tiers.map((tier) => String(tier.id));
  const next = ids.filter((id) => (id === column ? on : before.includes(id)));
  const isPlain = sameJson(next, idsBelow(tiers, row));
  return withValue(tiers[row], ["mayPreempt"], isPlain ? undefined : next);
}

function kindsOf(tier: JsonObject | undefined): readonly string[] {
  return Array.isArray(tier?.kinds) ? tier.kinds.map(String) : [];
}

/** The tier with or without a kind; no list where it would be empty. */
function withKind(tier: JsonObject, kind: string, on: boolean): Json {
  const before = kindsOf(tier);
  const kinds = JOB_KINDS.filter((each) => (each === kind ? on : before.includes(each)));
  return withValue(tier, ["kinds"], kinds.length === 0 ? undefined : [...kinds]);
}

function Matrix({ names, marks }: { readonly names: readonly string[]; readonly marks: Marks }) {
  return (
    <section>
      <h4>{marks.title}</h4>
      <p className="part-note">{marks.sentence}</p>
      <table className="rules-marks">
        <thead>
          <tr>
            <td />
            {marks.columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            <tr key={row}>
              <th scope="row">{name}</th>
              {marks.columns.map(({ key, label }) => (
                <td key={key}>
                  {marks.isOpen(row, key) && (
                    <label>
                      <span className="sr-only">{marks.label(name, label)}</span>
                      <input
                        type="checkbox"
                        className="entry-check"
                        checked={marks.isOn(row, key)}
                        onChange={(event) => marks.set(row, key, event.target.checked)}
                      />
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
