/** Names of the reservations of a scenario, and one that is free. */
import { acting } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";

/** Those that are not deleted again, without `own`: the name of the one that is edited. */
export function takenNames({ interventions }: Scenario, own?: string): ReadonlySet<string> {
  const deleted = new Set(
    acting(interventions).flatMap((one) => (one.kind === "unreserve" ? [one.name] : [])),
  );
  return new Set(
    interventions.flatMap((one) =>
      one.kind === "reserve" && one.name !== own && !deleted.has(one.name) ? [one.name] : [],
    ),
  );
}

/** The name, with a number behind it where it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}
