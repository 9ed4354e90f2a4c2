/**
 * Max-min fair rates of flows that cross links, by progressive filling: all rates grow together until a flow has what it can use or a link is full; those
 * stand still, the others grow on. A flow has one rate on all its links and takes `edges` times that rate on each, so the fair share is one of edges.
 * Whole numbers throughout: the result does not depend on the order of flows or links, and no link carries more than it can. O(flows × log + rounds × links), at most
 * one round a link and flow. Not monotone: with several links, a flow that leaves can let a second one grow and slow a third.
 * Source: Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 */
export interface Flow {
  /** The most it can use an edge, bytes per ms. */
  readonly mostRate: number;
  readonly links: readonly number[];
  /** Its edges on each of these links. */
  readonly edges: readonly number[];
}

/** A link while rates grow: what it has left, and what the flows that still grow take of it. */
interface Growing {
  left: number;
  edges: number;
  readonly flows: number[];
}

/** The rate of each flow. `capacityOf`: bytes per ms of a link; links without limits need not be in the flows. */
export function fairRates(
  flows: readonly Flow[],
  capacityOf: (link: number) => number,
): Float64Array {
  const rates = new Float64Array(flows.length).fill(-1);
  const byLink = linksOf(flows, capacityOf);
  let growing = [...byLink.values()];
  const stop = (place: number, rate: number): void => {
    if (rates[place]! >= 0) return;
    const { links, edges } = flows[place]!;
    rates[place] = rate;
    for (let i = 0; i < links.length; i++) {
      const link = byLink.get(links[i]!)!;
      link.left -= edges[i]! * rate;
      link.edges -= edges[i]!;
    }
  };
  const byMost = [...flows.keys()].sort((a, b) => flows[a]!.mostRate - flows[b]!.mostRate);
  let sated = 0;
  while (sated < byMost.length) {
    let share = Number.POSITIVE_INFINITY;
    for (const link of growing) share = Math.min(share, shareOf(link));
    const satedBefore = sated;
    for (; sated < byMost.length; sated++) {
      const place = byMost[sated]!;
      if (rates[place]! < 0 && flows[place]!.mostRate > share) break;
      stop(place, flows[place]!.mostRate);
    }
    if (sated > satedBefore) continue;
    const full = growing.filter((link) => shareOf(link) === share);
    for (const link of full) for (const place of link.flows) stop(place, share);
    growing = growing.filter((link) => link.edges > 0);
  }
  return rates;
}

function linksOf(
  flows: readonly Flow[],
  capacityOf: (link: number) => number,
): ReadonlyMap<number, Growing> {
  const byLink = new Map<number, Growing>();
  flows.forEach(({ links, edges }, place) => {
    for (let i = 0; i < links.length; i++) {
      let link = byLink.get(links[i]!);
      if (link === undefined) {
        link = { left: capacityOf(links[i]!), edges: 0, flows: [] };
        byLink.set(links[i]!, link);
      }
      link.edges += edges[i]!;
      link.flows.push(place);
    }
  });
  return byLink;
}

function shareOf({ left, edges }: Growing): number {
  return edges === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(left / edges));
}
