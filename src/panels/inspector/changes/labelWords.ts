/** What a change of labels does, in one line: "zone=b, without disk". */
import type { Intervention } from "../../../scenario/schema.ts";

type LabelChange = Extract<Intervention, { kind: "label" }>;

export function changeText({
  labels,
  remove = [],
}: Pick<LabelChange, "labels" | "remove">): string {
  const set = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return [...set, ...remove.map((label) => `without ${label}`)].join(", ");
}
