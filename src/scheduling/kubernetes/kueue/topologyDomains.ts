/**
 * The tree of topology domains with what each could hold of one workload: pods and whole slices. Free amounts of nodes that share a lowest domain are added up before they are divided.
 * O(nodes × levels). Source: kubernetes-sigs/kueue `pkg/cache/scheduler/tas_flavor_snapshot.go`.
 */
import { compareNames } from "./workloads.ts";

export interface TopologyNode {
  /** One name a level, widest first. Several nodes may share a path. */
  readonly path: readonly string[];
  /** Free for pods, by resource. */
  readonly free: readonly number[];
}

export interface TopologyRequest {
  readonly mode: "required" | "preferred" | "unconstrained";
  /** Level asked for (0 = widest); means nothing where unconstrained. */
  readonly level: number;
  readonly count: number;
  readonly perPod: readonly number[];
  /** Pods that must share a domain of `sliceLevel`. */
  readonly sliceSize: number;
  readonly sliceLevel: number;
}

/** Its numbers first say what it could hold, later what it gets. */
export interface Domain {
  readonly path: readonly string[];
  readonly children: Domain[];
  pods: number;
  /** 0 below the level of slices. */
  slices: number;
}

/** Domains by level, widest first. */
export function domainTree(
  levels: number,
  nodes: readonly TopologyNode[],
  { perPod, sliceSize, sliceLevel }: TopologyRequest,
): Domain[][] {
  const { byLevel, free } = grow(levels, nodes);
  for (let level = levels - 1; level >= 0; level--) {
    for (const domain of byLevel[level]!) {
      const amounts = free.get(domain);
      domain.pods = amounts ? podsIn(amounts, perPod) : sum(domain.children, "pods");
      domain.slices =
        level === sliceLevel ? Math.floor(domain.pods / sliceSize) : sum(domain.children, "slices");
    }
  }
  return byLevel;
}

/** Domains without numbers, and what is free in the lowest. */
function grow(levels: number, nodes: readonly TopologyNode[]) {
  const byLevel: Domain[][] = Array.from({ length: levels }, () => []);
  const known = new Map<string, Domain>();
  const free = new Map<Domain, number[]>();
  for (const node of nodes) {
    let parent: Domain | null = null;
    for (let level = 0; level < levels; level++) {
      const path = node.path.slice(0, level + 1);
      const key = JSON.stringify(path);
      let domain = known.get(key);
      if (!domain) {
        domain = { path, children: [], pods: 0, slices: 0 };
        known.set(key, domain);
        byLevel[level]!.push(domain);
        parent?.children.push(domain);
      }
      parent = domain;
    }
    const before = free.get(parent!);
    free.set(
      parent!,
      before ? before.map((amount, at) => amount + node.free[at]!) : [...node.free],
    );
  }
  return { byLevel, free };
}

function podsIn(free: readonly number[], perPod: readonly number[]): number {
  let pods = Number.POSITIVE_INFINITY;
  for (const [at, amount] of perPod.entries())
    if (amount > 0) pods = Math.min(pods, Math.floor(free[at]! / amount));
  return Math.max(0, pods);
}

function sum(domains: readonly Domain[], what: "pods" | "slices"): number {
  return domains.reduce((total, domain) => total + domain[what], 0);
}

/** Paths in alphabetical order, level by level. */
export function byPath(left: Domain, right: Domain): number {
  for (const [level, name] of left.path.entries()) {
    const order = compareNames(name, right.path[level] ?? "");
    if (order !== 0) return order;
  }
  return left.path.length - right.path.length;
}
