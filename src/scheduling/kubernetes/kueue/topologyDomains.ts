/**
 * The tree of topology domains, numbered once, and what each could hold of one workload. Domains of a level are numbered in order of their paths, so a smaller number breaks
 * ties. Free amounts of nodes that share a lowest domain are added up, by the caller as nodes fill and empty; a workload then costs O(domains × resources) and nothing is
 * allocated but the two columns of counts. Source: kubernetes-sigs/kueue `pkg/cache/scheduler/tas_flavor_snapshot.go`.
 */
import { compareNames } from "./workloads.ts";

export interface Domain {
  /** One name a level, widest first. */
  readonly path: readonly string[];
  readonly children: readonly number[];
}

/** Domains by number: those of a wider level first, in one level by path. */
export interface TopologyTree {
  readonly domains: readonly Domain[];
  /** First domain of each level, and the count of all at the end. */
  readonly firstOfLevel: readonly number[];
  readonly levels: number;
}

export interface TopologyRequest {
  readonly mode: "required" | "preferred" | "unconstrained";
  /** Level asked for (0 = widest). Unconstrained: where the search begins, `freeStart`. */
  readonly level: number;
  readonly count: number;
  /** By resource. */
  readonly perPod: readonly number[];
  /** Pods that must share a domain of `sliceLevel`. */
  readonly sliceSize: number;
  readonly sliceLevel: number;
}

/** Level from which a search without a wish for a level begins. */
export function freeStart(levels: number, slices: boolean): number {
  return slices ? 0 : levels - 1;
}

/** What each domain could hold, later what it gets. */
export interface DomainCounts {
  readonly pods: Float64Array;
  /** 0 below the level of slices. */
  readonly slices: Float64Array;
}

/** The tree of these paths of nodes, and the lowest domain of each node (0 = the first). Once; O(nodes·log nodes × levels). */
export function topologyTree(
  levels: number,
  paths: readonly (readonly string[])[],
): { readonly tree: TopologyTree; readonly leafOfNode: readonly number[] } {
  const order = paths.map((_, node) => node);
  order.sort((left, right) => comparePaths(paths[left]!, paths[right]!));
  const byLevel: { path: readonly string[]; children: number[] }[][] = [];
  for (let level = 0; level < levels; level++) byLevel.push([]);
  const leafOfNode = new Array<number>(paths.length).fill(0);
  for (const node of order) {
    const path = paths[node]!;
    let isNew = false;
    for (let level = 0; level < levels; level++) {
      const known = byLevel[level]!;
      isNew ||= known.at(-1)?.path[level] !== path[level];
      if (!isNew) continue;
      byLevel[level - 1]?.at(-1)?.children.push(known.length);
      known.push({ path: path.slice(0, level + 1), children: [] });
    }
    leafOfNode[node] = byLevel[levels - 1]!.length - 1;
  }
  const firstOfLevel = [0];
  for (const domains of byLevel) firstOfLevel.push(firstOfLevel.at(-1)! + domains.length);
  const domains = byLevel.flatMap((rows, level) =>
    rows.map(({ path, children }) => ({
      path,
      children: children.map((child) => firstOfLevel[level + 1]! + child),
    })),
  );
  return { tree: { domains, firstOfLevel, levels }, leafOfNode };
}

/** `free`: by lowest domain × resource. */
export function countDomains(
  { domains, firstOfLevel, levels }: TopologyTree,
  free: ArrayLike<number>,
  { perPod, sliceSize, sliceLevel }: TopologyRequest,
): DomainCounts {
  const pods = new Float64Array(domains.length);
  const slices = new Float64Array(domains.length);
  const leaves = firstOfLevel[levels - 1]!;
  for (let level = levels - 1; level >= 0; level--) {
    for (let idx = firstOfLevel[level]!; idx < firstOfLevel[level + 1]!; idx++) {
      if (level === levels - 1) pods[idx] = podsIn(free, idx - leaves, perPod);
      for (const child of domains[idx]!.children) {
        pods[idx]! += pods[child]!;
        slices[idx]! += slices[child]!;
      }
      if (level === sliceLevel) slices[idx] = Math.floor(pods[idx]! / sliceSize);
    }
  }
  return { pods, slices };
}

function podsIn(free: ArrayLike<number>, leaf: number, perPod: readonly number[]): number {
  let pods = Number.POSITIVE_INFINITY;
  for (let at = 0; at < perPod.length; at++)
    if (perPod[at]! > 0)
      pods = Math.min(pods, Math.floor(free[leaf * perPod.length + at]! / perPod[at]!));
  return Math.max(0, pods);
}

function comparePaths(left: readonly string[], right: readonly string[]): number {
  for (const [level, name] of left.entries()) {
    const order = compareNames(name, right[level]!);
    if (order !== 0) return order;
  }
  return 0;
}
