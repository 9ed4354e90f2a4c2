/** Which labels a node has at a time: those of its class, and what changes of the document have made of them, in order of time, then of the document. */
import { acting } from "./interventions.ts";
import type { Intervention } from "./schema.ts";

export type Labels = Readonly<Record<string, string>>;

/** `without`: a change of the list that is left out, −1 = none. O(interventions). */
export function labelsAt(
  interventions: readonly Intervention[],
  node: string,
  own: Labels,
  atMs: number,
  without = -1,
): Labels {
  const left = interventions[without];
  const changes = acting(interventions as Intervention[]).filter(
    (change) =>
      change.kind === "label" &&
      change !== left &&
      change.atMs <= atMs &&
      change.nodes.includes(node),
  ) as Extract<Intervention, { kind: "label" }>[];
  if (changes.length === 0) return own;
  changes.sort((a, b) => a.atMs - b.atMs);
  const labels: Record<string, string> = { ...own };
  for (const change of changes) {
    Object.assign(labels, change.labels);
    for (const name of change.remove ?? []) delete labels[name];
  }
  return labels;
}
