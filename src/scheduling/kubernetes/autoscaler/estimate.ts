/**
 * How many nodes of one kind pods would need: they are put on new nodes one after the other, on the first that has room, and a node more is taken where none has. A pod that an empty
 * node cannot hold is passed over; where no more nodes may be taken, later pods may still fill those that are there. The caller gives the pods in order: those that take most of a node
 * first, by CPUs plus memory. No optimum is sought: up to some 20 % more nodes than needed. O(pods + kinds of pods × nodes). Source: kubernetes/autoscaler
 * `cluster-autoscaler/estimator/binpacking_estimator.go`.
 */

/** So many equal pods. */
export interface PodBatch {
  readonly count: number;
}

/** A new node on trial. */
export interface TrialNode<B extends PodBatch> {
  /** Puts up to `most` pods of the batch on it; how many. */
  readonly take: (batch: B, most: number) => number;
}

export interface Estimate {
  /** Nodes with pods on them. */
  readonly nodes: number;
  /** Pods that found room, by batch. */
  readonly helped: readonly number[];
}

/** `next` gives one more empty node; null = there are no more. */
export function estimateNodes<B extends PodBatch>(
  batches: readonly B[],
  next: () => TrialNode<B> | null,
): Estimate {
  const nodes: TrialNode<B>[] = [];
  let spare: TrialNode<B> | null = null;
  const helped = batches.map((batch) => {
    let left = batch.count;
    for (const node of nodes) {
      if (left === 0) break;
      left -= node.take(batch, left);
    }
    while (left > 0) {
      const node: TrialNode<B> | null = spare ?? next();
      if (node === null) break;
      const taken = node.take(batch, left);
      spare = taken === 0 ? node : null;
      // Too large for an empty node: another would not do either.
      if (taken === 0) break;
      nodes.push(node);
      left -= taken;
    }
    return batch.count - left;
  });
  return { nodes: nodes.length, helped };
}
