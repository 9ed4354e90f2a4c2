/**
 * Max-min fair rates of flows that cross links, by progressive filling: all rates grow together until a flow has what it can use or a link is full; those
 * stand still, the others grow on. A flow has one rate on all its links and takes `edges` times that rate on each (1/256), so the fair share is one of edges.
 * Whole numbers throughout: the result does not depend on the order of flows or links, and no link carries more than it can. O(rounds × (flows + links)),
 * at most one round a flow. Not monotone: with several links, a flow that leaves can let a second one grow and slow a third.
 * Source: Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 */
import { EDGE_ONE } from "./stepTime.ts";

export interface Flow {
  /** The most it can use an edge, bytes per ms. */
  readonly mostRate: number;
  readonly links: readonly number[];
  /** Its edges on each of these links, in 1/256. */
  readonly edges: readonly number[];
}

/** The rate of each flow. `capacityOf`: bytes per ms of a link; links without limits need not be in the flows. */
export function fairRates(
  flows: readonly Flow[],
  capacityOf: (link: number) => number,
): Float64Array {
  const rates = new Float64Array(flows.length).fill(-1);
  const links = new Map<number, { left: number; edges: number }>();
  for (const { links: crossed, edges } of flows)
    crossed.forEach((link, place) => {
      const known = links.get(link) ?? { left: capacityOf(link) * EDGE_ONE, edges: 0 };
      known.edges += edges[place]!;
      links.set(link, known);
    });
  const shareOf = (link: number): number => {
    const { left, edges } = links.get(link)!;
    return edges === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(left / edges));
  };
  const stop = (place: number, rate: number): void => {
    const { links: crossed, edges } = flows[place]!;
    rates[place] = rate;
    crossed.forEach((link, i) => {
      const known = links.get(link)!;
      known.left -= edges[i]! * rate;
      known.edges -= edges[i]!;
    });
  };
  let open = flows.map((_, place) => place);
  while (open.length > 0) {
    let share = Number.POSITIVE_INFINITY;
    for (const link of links.keys()) share = Math.min(share, shareOf(link));
    const sated = open.filter((place) => flows[place]!.mostRate <= share);
    const full = new Set([...links.keys()].filter((link) => shareOf(link) === share));
    const stopping =
      sated.length > 0
        ? sated
        : open.filter((place) => flows[place]!.links.some((link) => full.has(link)));
    for (const place of stopping) stop(place, Math.min(share, flows[place]!.mostRate));
    open = open.filter((place) => rates[place]! < 0);
  }
  return rates;
}
