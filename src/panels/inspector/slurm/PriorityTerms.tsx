/** A priority taken apart, as `sprio` does: weight × factor = points for each term, with a bar on one scale, and their sum. */
import { numberText } from "../../../base/format.ts";
import type { SlurmJobFacts } from "../../../model/slurm/jobFacts.ts";
import type { SprioRow } from "../../../model/slurm/tables.ts";

interface Term {
  readonly name: string;
  readonly setting: string;
  readonly weight: number;
  readonly points: number;
}

/** The terms of one line of `sprio`: those with a weight, and nice where it is not 0. */
export function termsOf(
  { weights }: Pick<SlurmJobFacts, "weights">,
  row: SprioRow,
): readonly Term[] {
  const terms: Term[] = [
    { name: "Age", setting: "PriorityWeightAge", weight: weights.age, points: row.age },
    { name: "Assoc", setting: "PriorityWeightAssoc", weight: weights.assoc, points: row.assoc },
    {
      name: "Fair share",
      setting: "PriorityWeightFairshare",
      weight: weights.fairshare,
      points: row.fairshare,
    },
    {
      name: "Job size",
      setting: "PriorityWeightJobSize",
      weight: weights.jobSize,
      points: row.jobSize,
    },
    {
      name: "Partition",
      setting: "PriorityWeightPartition",
      weight: weights.partition,
      points: row.partitionFactor,
    },
    { name: "QOS", setting: "PriorityWeightQOS", weight: weights.qos, points: row.qos },
    ...Object.entries(weights.tres).map(([tres, weight]) => ({
      name: `TRES ${tres}`,
      setting: "PriorityWeightTRES",
      weight,
      points: row.tres[tres] ?? 0,
    })),
  ];
  return terms.filter((term) => term.weight !== 0);
}

export function PriorityTerms({ facts }: { readonly facts: SlurmJobFacts }) {
  if (facts.prioritySet)
    return (
      <Frame note="set by hand">
        <p className="quiet">
          Priority {numberText(facts.priority)}, given by --priority or an administrator: no term
          counts.
        </p>
      </Frame>
    );
  if (facts.sprio.length === 0)
    return (
      <Frame note={facts.priority === 0 ? "held" : "priority/basic"}>
        <p className="quiet">
          {facts.priority === 0
            ? "Priority 0: a held job has none until it is released."
            : `Priority ${numberText(facts.priority)}: each job gets one less than the one before it.`}
        </p>
      </Frame>
    );
  return (
    <Frame note="weight × factor = points">
      {facts.sprio.map((row) => (
        <Terms key={row.partition} facts={facts} row={row} named={facts.sprio.length > 1} />
      ))}
    </Frame>
  );
}

function Frame({ note, children }: { readonly note: string; readonly children: React.ReactNode }) {
  return (
    <section aria-label="Priority">
      <header className="part-head">
        <h3>Priority</h3>
        <span className="part-note">{note}</span>
      </header>
      {children}
    </section>
  );
}

interface TermsProps {
  readonly facts: SlurmJobFacts;
  readonly row: SprioRow;
  readonly named: boolean;
}

function Terms({ facts, row, named }: TermsProps) {
  const terms = termsOf(facts, row);
  const most = terms.reduce((highest, term) => Math.max(highest, Math.abs(term.points)), 1);
  return (
    <table className="terms">
      {named && <caption>In partition {row.partition}</caption>}
      <thead>
        <tr>
          <th scope="col">term</th>
          <th scope="col">weight</th>
          <th scope="col">factor</th>
          <th scope="col">points</th>
        </tr>
      </thead>
      <tbody>
        {terms.map((term) => (
          <tr key={term.name}>
            <th scope="row" title={term.setting}>
              {term.name}
            </th>
            <td>{numberText(term.weight)}</td>
            <td>{(term.points / term.weight).toFixed(4)}</td>
            <td>
              <span className="term-bar" aria-hidden="true">
                <i style={{ width: `${(100 * Math.abs(term.points)) / most}%` }} />
              </span>
              {numberText(term.points)}
            </td>
          </tr>
        ))}
        {row.nice !== 0 && (
          <tr>
            <th scope="row" title="--nice">
              Nice
            </th>
            <td />
            <td />
            <td>{numberText(-row.nice)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Priority</th>
          <td colSpan={3}>{numberText(row.priority)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
