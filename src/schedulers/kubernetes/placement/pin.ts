/**
 * Pods that may not go everywhere: admission pins those of a component to the nodes of their flavor, or so many to each domain of a topology, and may have let in fewer of them than the component has
 * members. What is left of each domain is counted down as pods are bound. O(domains) a node asked about, O(1) where there is one.
 */
import type { PodBook } from "./pods.ts";

export interface PodsPin {
  /** Pods that there are. */
  readonly pods: number;
  /** At most so many on each list of nodes (by node: 1 = in it); null = any node. */
  readonly domains: readonly { readonly nodes: Uint8Array; readonly pods: number }[] | null;
  /** Equal keys, equal domains. */
  readonly key: string;
}

/** Pods that each domain still has to get, beside those that are bound. O(domains × pods of the job). */
export function domainsLeft(book: PodBook, jobIdx: number, row: number, pin: PodsPin): number[] {
  const left = (pin.domains ?? []).map(({ pods }) => pods);
  for (let pod = book.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = book.jobNext[pod]!) {
    if (book.row[pod] !== row) continue;
    const at = domainOf(pin, book.node[pod]!);
    if (at >= 0) left[at]!--;
  }
  return left;
}

/** The domain of a node; −1 = none. */
export function domainOf({ domains }: PodsPin, node: number): number {
  return domains?.findIndex(({ nodes }) => nodes[node] === 1) ?? -1;
}

/** May another pod go to the node? */
export function allows(pin: PodsPin, left: readonly number[], node: number): boolean {
  if (pin.domains === null) return true;
  const at = domainOf(pin, node);
  return at >= 0 && left[at]! > 0;
}
