/** Strategies by which Cluster Autoscaler chooses the node group that grows, under the names of its flag. */
export const EXPANDERS = ["random", "most-pods", "least-waste", "least-nodes"] as const;
export type Expander = (typeof EXPANDERS)[number];
