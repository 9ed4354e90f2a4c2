/** What is typed in the editor of labels: nodes as a host list, and the labels that they shall have, of which what differs becomes the change. */
import { labelsAt } from "../../../scenario/labelsAt.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { expandHostlist } from "../../../scenario/slurm/hostlist.ts";
import { pairsFrom } from "../../../ui/fields/readEntry.ts";

export interface LabelDraft {
  /** A host list. */
  readonly nodes: string;
  /** "zone=b, disk=ssd". */
  readonly labels: string;
}

export type LabelChange = Extract<Intervention, { kind: "label" }>;
type Labels = Readonly<Record<string, string>>;

/** Labels of each of some nodes at a time, by the labels of their classes. */
export type LabelsOf = (node: string) => Labels;

/** Labels before the change, `without` left out. O(nodes) once, then O(interventions) a node. */
export function labelsBefore(
  { interventions }: Scenario,
  ownOf: LabelsOf,
  atMs: number,
  without: number,
): LabelsOf {
  return (node) => labelsAt(interventions, node, ownOf(node), atMs, without);
}

export function nodesIn(text: string): readonly string[] {
  const names = expandHostlist(text.trim());
  return text.trim() !== "" && names.ok ? names.value : [];
}

/** What all of the nodes have alike, as it is typed. */
export function commonText(nodes: readonly string[], labelsOf: LabelsOf): string {
  const [first, ...others] = nodes.map(labelsOf);
  return Object.entries(first ?? {})
    .filter(([label, value]) => others.every((labels) => labels[label] === value))
    .map(([label, value]) => `${label}=${value}`)
    .join(", ");
}

/** What the draft makes of the labels that the nodes have; null where it is no list of labels. Labels that only some of the nodes have stay. */
export function labelChange(
  draft: LabelDraft,
  labelsOf: LabelsOf,
): Pick<LabelChange, "nodes" | "labels" | "remove"> | null {
  const wanted = pairsFrom(draft.labels);
  if (wanted === null) return null;
  const nodes = [...nodesIn(draft.nodes)];
  const have = nodes.map(labelsOf);
  const labels = Object.fromEntries(
    Object.entries(wanted).filter(([label, value]) => have.some((own) => own[label] !== value)),
  );
  const remove = Object.keys(have[0] ?? {}).filter(
    (label) => !(label in wanted) && have.every((own) => own[label] === have[0]![label]),
  );
  return { nodes, labels, ...(remove.length > 0 && { remove }) };
}
