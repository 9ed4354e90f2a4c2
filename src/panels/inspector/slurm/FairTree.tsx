/**
 * The walk through the Fair Tree: at each level the siblings in the order of their LevelFS, the own one marked, down to the user and its
 * rank, which is the fair-share factor.
 */
import { numberText } from "../../../base/format.ts";
import type { FairShareFacts, FairTreeStep } from "../../../model/slurm/jobFacts.ts";

const share = (value: number): string => (Number.isFinite(value) ? value.toFixed(4) : "inf");

export function FairTree({ facts }: { readonly facts: FairShareFacts }) {
  const own = facts.levels.at(-1)?.siblings.find((sibling) => sibling.chosen);
  if (!own)
    return (
      <section aria-label="Fair share">
        <h3>Fair share</h3>
        <p className="quiet">Factor {facts.factor.toFixed(6)}, by the classic formula.</p>
      </section>
    );
  return (
    <section aria-label="Fair Tree">
      <header className="part-head">
        <h3>Fair Tree</h3>
        <span className="part-note">as of the last priority tick</span>
      </header>
      <ol className="walk">
        {facts.levels.map((level, depth) => (
          <li key={level.account}>
            <Level level={level} depth={depth} />
          </li>
        ))}
      </ol>
      <p>
        Rank {numberText(own.rank)} of {numberText(facts.users)} users, counted from the last:
        FairShare {own.rank}/{facts.users} = <b>{facts.factor.toFixed(6)}</b>.
      </p>
    </section>
  );
}

function Level({ level, depth }: { readonly level: FairTreeStep; readonly depth: number }) {
  const hidden = level.count - level.siblings.length;
  return (
    <table className="terms walk-level">
      <caption>
        {depth === 0 ? "Below root" : `In account ${level.account}`}
        {hidden > 0 &&
          `, places ${level.first} to ${level.first + level.siblings.length - 1} of ${level.count}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{level.siblings.every((one) => one.isUser) ? "user" : "account"}</th>
          <th scope="col">shares</th>
          <th scope="col">usage</th>
          <th scope="col">LevelFS</th>
        </tr>
      </thead>
      <tbody>
        {level.siblings.map((one) => (
          <tr key={`${one.name} ${one.isUser}`} aria-current={one.chosen ? "true" : undefined}>
            <th scope="row">
              <span aria-hidden="true">{one.chosen ? "▸ " : ""}</span>
              {one.name}
            </th>
            <td>{share(one.normShares)}</td>
            <td>{share(one.effectvUsage)}</td>
            <td>{share(one.levelFs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
