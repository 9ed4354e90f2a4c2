/**
 * Topology-aware scheduling: how many pods each domain could take, and which domains a workload gets. A leaf takes as many pods as its scarcest resource allows; a domain at the
 * slice level counts whole slices, higher ones add these up; pods that make no whole slice are unused. Required: one domain of the level holds everything. Preferred: the same, else
 * one of each higher level, at the top several. Both take domains with the most slices first (then the fewest spare pods, then names), and for the last part the tightest that holds it.
 * Unconstrained: from the lowest level, with slices from the widest, the tightest domain that holds all, else from the smallest up; so slices of one wish need not share the tightest
 * host. Known pathology: below the slice level upstream's order begins with the smallest domains, as slices no longer tell them apart. O(d·(r + log d)) for d domains and r resources.
 * Source: kubernetes-sigs/kueue `pkg/cache/scheduler/tas_flavor_snapshot.go` (`levelKey`, slice-only wishes: #5683); docs "Topology Aware Scheduling"; KEP-2724.
 */
import {
  countDomains,
  type DomainCounts,
  type TopologyRequest,
  type TopologyTree,
} from "./topologyDomains.ts";

export interface DomainPods {
  readonly path: readonly string[];
  readonly pods: number;
}

/** One search: the tree, the counts so far, and whether domains are filled tightly (else from the smallest up). */
interface Search {
  readonly tree: TopologyTree;
  readonly counts: DomainCounts;
  readonly tight: boolean;
}

/**
 * Pods of each lowest domain, in order of paths; null where it cannot be placed. `free`: by lowest domain × resource.
 */
export function assignTopology(
  tree: TopologyTree,
  free: ArrayLike<number>,
  request: TopologyRequest,
): DomainPods[] | null {
  const { mode, sliceLevel, sliceSize, count } = request;
  const { levels, domains } = tree;
  if (request.level > sliceLevel) return null;
  const search = {
    tree,
    counts: countDomains(tree, free, request),
    tight: mode !== "unconstrained",
  };
  const slices = count / sliceSize;
  const found = fitLevel(search, request.level, slices, mode === "required");
  if (!found) return null;
  let chosen = spread(search, found.chosen, slices, sliceSize);
  let level = found.level;
  for (; level < Math.min(levels - 1, sliceLevel); level++) {
    const below = chosen.flatMap((idx) => domains[idx]!.children);
    chosen = spread(search, inOrder(search, below), slices, sliceSize);
  }
  for (; level < levels - 1; level++)
    chosen = chosen.flatMap((idx) =>
      fill(search, inOrder(search, domains[idx]!.children), search.counts.pods[idx]!, "pods"),
    );
  const { pods } = search.counts;
  return chosen
    .filter((idx) => pods[idx]! > 0)
    .sort((left, right) => left - right)
    .map((idx) => ({ path: domains[idx]!.path, pods: pods[idx]! }));
}

/** The level and the domains of it that hold everything, in the order in which they are filled. */
function fitLevel(
  search: Search,
  start: number,
  slices: number,
  required: boolean,
): { readonly level: number; readonly chosen: number[] } | null {
  const { tree, counts, tight } = search;
  for (let level = start; level >= 0; level--) {
    const all: number[] = [];
    for (let idx = tree.firstOfLevel[level]!; idx < tree.firstOfLevel[level + 1]!; idx++)
      all.push(idx);
    const ordered = inOrder(search, all);
    const single = tight
      ? tightest(ordered, 0, slices, counts.slices)
      : ordered.find((idx) => counts.slices[idx]! >= slices);
    if (single !== undefined && counts.slices[single]! >= slices)
      return { level, chosen: [single] };
    if (required) return null;
    if (level > 0 && tight) continue;
    const chosen = enough(search, ordered, slices);
    return chosen ? { level, chosen } : null;
  }
  return null;
}

/** As many domains as it takes, in order, for the last part the tightest; null where all together are too small. */
function enough({ counts, tight }: Search, ordered: readonly number[], slices: number) {
  const chosen: number[] = [];
  let rest = slices;
  for (let at = 0; at < ordered.length && rest > 0; at++) {
    const last = tight && counts.slices[ordered[at]!]! >= rest;
    const idx = last ? tightest(ordered, at, rest, counts.slices)! : ordered[at]!;
    chosen.push(idx);
    rest -= counts.slices[idx]!;
  }
  return rest > 0 ? null : chosen;
}

/** Hands slices out to domains in order. They hold enough. */
function spread(
  search: Search,
  ordered: readonly number[],
  slices: number,
  sliceSize: number,
): number[] {
  const { counts } = search;
  const filled = fill(search, ordered, slices, "slices");
  for (const idx of filled) counts.pods[idx] = counts.slices[idx]! * sliceSize;
  return filled;
}

/** Hands an amount out to domains in order, for the last part the tightest; their counts become what they get. */
function fill(
  { counts, tight }: Search,
  ordered: readonly number[],
  amount: number,
  what: "pods" | "slices",
): number[] {
  const holds = counts[what];
  const filled: number[] = [];
  let rest = amount;
  for (let at = 0; at < ordered.length; at++) {
    const last = tight && holds[ordered[at]!]! >= rest;
    const idx = last ? tightest(ordered, at, rest, holds)! : ordered[at]!;
    holds[idx] = Math.min(holds[idx]!, rest);
    filled.push(idx);
    rest -= holds[idx]!;
    if (rest === 0) break;
  }
  return filled;
}

/** Of those from a place on that hold it the one that holds least, the first of equals; the first of all where none does. */
function tightest(
  ordered: readonly number[],
  from: number,
  amount: number,
  holds: Float64Array,
): number | undefined {
  let best = ordered[from];
  for (let at = from; at < ordered.length; at++) {
    const idx = ordered[at]!;
    if (holds[idx]! >= amount && holds[idx]! < holds[best!]!) best = idx;
  }
  return best;
}

/** Most slices first where tight, else fewest; then fewest pods, then paths. */
function inOrder({ counts, tight }: Search, domains: readonly number[]): number[] {
  const { pods, slices } = counts;
  return [...domains].sort((left, right) => {
    const bySlices = tight ? slices[right]! - slices[left]! : slices[left]! - slices[right]!;
    return bySlices || pods[left]! - pods[right]! || left - right;
  });
}
