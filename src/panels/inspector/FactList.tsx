/** Facts of one thing, name and value, a line each. */
import { Fragment, type ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

interface FactListProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
}

export function FactList({ facts, className = "" }: FactListProps) {
  return (
    <dl className={`facts ${className}`.trim()}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
