/**
 * What a job asks of its nodes in the document itself, whatever scheduler it meets: labels, GPU models, nodes to itself. Slurm takes it as
 * excluded nodes and `--exclusive`; speeds by model stay with the engine.
 */
import { setBits } from "../../../base/bits.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { NodeWish } from "../../../model/lab/jobLife.ts";
import type { SlurmNodes } from "./nodes.ts";

/** The wish of a job; null = none. O(1). */
export function wishOf(view: PoolView, jobIdx: number): NodeWish | null {
  return view.jobs.lab.size === 0 ? null : (view.jobs.lab.get(jobIdx)?.nodes ?? null);
}

/** Two jobs with the same text wish for the same. */
export function wishText(view: PoolView, jobIdx: number): string {
  const wish = wishOf(view, jobIdx);
  return wish === null ? "" : JSON.stringify([wish.exclusive, wish.labels, wish.models]);
}

/** `named` and the nodes without its labels or with other models; null = none. O(nodes). */
export function excludedBy(
  view: PoolView,
  nodes: SlurmNodes,
  named: Int32Array | null,
  jobIdx: number,
): Int32Array | null {
  const wish = wishOf(view, jobIdx);
  const labels = Object.entries(wish?.labels ?? {});
  const models = wish?.models ?? [];
  if (labels.length + models.length === 0) return named;
  const excluded = named ?? new Int32Array(nodes.words);
  const { groups, nodeGroup } = view.cluster;
  for (let node = 0; node < nodes.count; node++) {
    const group = groups[nodeGroup[nodes.engineNode[node]!]!]!;
    const fits =
      labels.every(([label, value]) => group.labels[label] === value) &&
      (models.length === 0 || models.some(({ model }) => model === group.gpuModel));
    if (!fits) setBits(excluded, node, node + 1);
  }
  return excluded;
}
