/**
 * Topology-aware scheduling: how many pods each domain could take, and which domains a workload gets. A leaf takes as many pods as its scarcest resource allows; a domain at the
 * slice level counts whole slices, higher ones add these up; pods that make no whole slice are unused. Required: one domain of the level holds everything. Preferred: the same, else
 * one of each higher level, at the top several. Both take domains with the most slices first (then the fewest spare pods, then names), and for the last part the tightest that holds it.
 * Unconstrained: from the lowest level, the tightest domain that holds all, else from the smallest up. Known pathology: below the slice level upstream's order begins with the
 * smallest domains, as slices no longer tell them apart. O(d·log d) for d domains. Source: kubernetes-sigs/kueue `pkg/cache/scheduler/tas_flavor_snapshot.go`; docs "Topology Aware Scheduling"; KEP-2724.
 */
import {
  byPath,
  type Domain,
  domainTree,
  type TopologyNode,
  type TopologyRequest,
} from "./topologyDomains.ts";

export interface DomainPods {
  readonly path: readonly string[];
  readonly pods: number;
}

/** Pods of each lowest domain, in order of paths; null where it cannot be placed. */
export function assignTopology(
  levels: number,
  nodes: readonly TopologyNode[],
  request: TopologyRequest,
): DomainPods[] | null {
  const { mode, sliceLevel, sliceSize, count } = request;
  const start = mode === "unconstrained" ? Math.min(levels - 1, sliceLevel) : request.level;
  if (start > sliceLevel) return null;
  const tree = domainTree(levels, nodes, request);
  const found = fitLevel(tree, start, request);
  if (!found) return null;
  const tight = mode !== "unconstrained";
  let chosen = spread(found.domains, count / sliceSize, sliceSize, tight);
  let level = found.level;
  for (; level < Math.min(levels - 1, sliceLevel); level++) {
    const below = inOrder(
      chosen.flatMap(({ children }) => children),
      tight,
    );
    chosen = spread(below, count / sliceSize, sliceSize, tight);
  }
  for (; level < levels - 1; level++)
    chosen = chosen.flatMap((domain) =>
      spreadPods(inOrder(domain.children, tight), domain.pods, tight),
    );
  return chosen
    .filter(({ pods }) => pods > 0)
    .sort(byPath)
    .map(({ path, pods }) => ({ path, pods }));
}

/** The level and the domains of it that hold everything, in the order in which they are filled. */
function fitLevel(
  tree: readonly (readonly Domain[])[],
  start: number,
  { mode, count, sliceSize }: TopologyRequest,
): { readonly level: number; readonly domains: Domain[] } | null {
  const slices = count / sliceSize;
  const tight = mode !== "unconstrained";
  for (let level = start; level >= 0; level--) {
    const domains = inOrder(tree[level]!, tight);
    const single = tight
      ? tightest(domains, slices, slicesOf)
      : domains.find((domain) => domain.slices >= slices);
    if (single && single.slices >= slices) return { level, domains: [single] };
    if (mode === "required") return null;
    if (level > 0 && tight) continue;
    const several = enough(domains, slices, tight);
    return several ? { level, domains: several } : null;
  }
  return null;
}

/** As many domains as it takes, in order, for the last part the tightest; null where all together are too small. */
function enough(domains: readonly Domain[], slices: number, tight: boolean): Domain[] | null {
  const chosen: Domain[] = [];
  let rest = slices;
  for (let at = 0; at < domains.length && rest > 0; at++) {
    const last = tight && domains[at]!.slices >= rest;
    const domain = last ? tightest(domains.slice(at), rest, slicesOf)! : domains[at]!;
    chosen.push(domain);
    rest -= domain.slices;
  }
  return rest > 0 ? null : chosen;
}

/** Hands slices out to domains in order. They hold enough. */
function spread(
  domains: readonly Domain[],
  slices: number,
  sliceSize: number,
  tight: boolean,
): Domain[] {
  return fill(domains, slices, tight, slicesOf).map(([domain, taken]) => {
    domain.slices = taken;
    domain.pods = taken * sliceSize;
    return domain;
  });
}

/** Hands single pods out to the children of one domain. They hold enough. */
function spreadPods(domains: readonly Domain[], pods: number, tight: boolean): Domain[] {
  return fill(domains, pods, tight, podsOf).map(([domain, taken]) => {
    domain.pods = taken;
    return domain;
  });
}

function fill(
  domains: readonly Domain[],
  amount: number,
  tight: boolean,
  holds: (domain: Domain) => number,
): (readonly [Domain, number])[] {
  const filled: (readonly [Domain, number])[] = [];
  let rest = amount;
  for (let at = 0; at < domains.length; at++) {
    const last = tight && holds(domains[at]!) >= rest;
    const domain = last ? tightest(domains.slice(at), rest, holds)! : domains[at]!;
    const taken = Math.min(holds(domain), rest);
    filled.push([domain, taken]);
    rest -= taken;
    if (rest === 0) break;
  }
  return filled;
}

/** Of those that hold it the one that holds least, the first of equals; the first of all where none does. */
function tightest(
  domains: readonly Domain[],
  amount: number,
  holds: (domain: Domain) => number,
): Domain | undefined {
  let best = domains[0];
  for (const domain of domains)
    if (best && holds(domain) >= amount && holds(domain) < holds(best)) best = domain;
  return best;
}

/** Most slices first where tight, else fewest; then fewest pods, then paths. */
function inOrder(domains: readonly Domain[], tight: boolean): Domain[] {
  return [...domains].sort((left, right) => {
    const bySlices = tight ? right.slices - left.slices : left.slices - right.slices;
    return bySlices || left.pods - right.pods || byPath(left, right);
  });
}

function slicesOf({ slices }: Domain): number {
  return slices;
}

function podsOf({ pods }: Domain): number {
  return pods;
}
