/**
 * Time of one step of a gang: compute, and the part of its all-reduce that does not hide behind it; never less than the all-reduce itself. Inside one domain
 * the all-reduce runs over NVLink. Across domains:
 *
 *     ranked, rails       reduce-scatter inside, one all-reduce a card between the domains, all-gather inside
 *     ranked, no rails    one ring or tree over all members that leaves each domain once: one card's rate
 *     random order        one ring or tree over all members, each next to one elsewhere where there are enough: of g of n, min(g, n − g) hand on
 *                         to another domain, and share its cards. The worst order, not the mean one: it is what was measured
 *
 * So two members behind one card go slower than one a node (AdaptDL's measurements, `models.ts`). An all-reduce is paced by its slowest edge, so one rate holds for
 * all edges of a gang. Latency is that of the longest way: `nicMicros` a switch tier. Known limits: gangs are taken to talk all the time, where steps
 * that interleave would do better (Rajasekaran et al., CASSINI, NSDI 2024); no congestion beyond fair sharing; of uneven domains the largest sets the pace inside, the one
 * with fewest cards outside. Rates are whole bytes per ms. O(domains + leaves).
 */
import type { Traffic } from "../lab/jobLife.ts";
import type { Network } from "../lab/services.ts";
import { hierarchicalS, type Link, ringS, treeS } from "./allReduce.ts";
import type { Gang } from "./gang.ts";

const BYTES_PER_GIB = 1_073_741_824;
const BYTES_PER_GB = 1_000_000_000;
const BYTES_PER_GB_MS = 1_000_000;
const MS_PER_S = 1_000;
const MICROS_PER_S = 1_000_000;

/** What a gang puts on links that others may share. */
export interface Edges {
  /** The most that each edge can carry, bytes per ms. */
  readonly mostRate: number;
  /** Edges that leave each domain, and each leaf, in the order of the gang. */
  readonly ofDomain: readonly number[];
  readonly ofLeaf: readonly number[];
}

/** Bytes per ms, at least 1. */
export function rateOf(gigabytesPerS: number): number {
  return Math.max(1, Math.round(gigabytesPerS * BYTES_PER_GB_MS));
}

/** Edges of a gang between its domains. Call where it has more than one. */
export function edgesOf(gang: Gang, traffic: Traffic, network: Network): Edges {
  const cardRate = rateOf(network.nicGBps);
  const cross = gang.leaves.length > 1;
  if (traffic.order === "ranked") {
    const each = network.rails ? railsOf(gang) : 1;
    return {
      mostRate: cardRate,
      ofDomain: gang.domains.map(() => each),
      ofLeaf: gang.leaves.map(() => (cross ? each : 0)),
    };
  }
  const leaving = (inside: number) => Math.min(inside, gang.gpus - inside);
  const ofDomain = gang.domains.map(({ gpus }) => leaving(gpus));
  const mostRate = gang.domains.reduce((rate, { cards }, place) => {
    const most = Math.floor((cards * cardRate) / ofDomain[place]!);
    return Math.min(rate, Math.max(1, most));
  }, cardRate);
  return { mostRate, ofDomain, ofLeaf: gang.leaves.map(leaving) };
}

/** Time of a step (ms) where each edge between domains carries `rate` (bytes per ms); without meaning in one domain. */
export function stepMs(gang: Gang, traffic: Traffic, network: Network, rate: number): number {
  const talkMs = allReduceMs(gang, traffic, network, rate);
  return Math.max(traffic.stepMs + (1 - traffic.overlap) * talkMs, talkMs);
}

/** The same for a gang alone, its uplinks as wide as its cards: what speed 1 means, for the packed placement. */
export function aloneStepMs(gang: Gang, traffic: Traffic, network: Network): number {
  const rate = gang.domains.length > 1 ? edgesOf(gang, traffic, network).mostRate : 0;
  return stepMs(gang, traffic, network, rate);
}

function allReduceMs(gang: Gang, traffic: Traffic, network: Network, rate: number): number {
  const bytes = traffic.allReduceGiB * BYTES_PER_GIB;
  if (gang.gpus < 2 || bytes === 0) return 0;
  const algorithmS = traffic.algorithm === "ring" ? ringS : treeS;
  const inside: Link = {
    bytesPerS: (gang.nvswitch ? network.nvlinkGBps : network.nicGBps) * BYTES_PER_GB,
    alphaS: network.nvlinkMicros / MICROS_PER_S,
  };
  if (gang.domains.length === 1) return algorithmS(gang.gpus, bytes, inside) * MS_PER_S;
  const between: Link = {
    bytesPerS: rate * MS_PER_S,
    alphaS: (network.nicMicros * gang.tiers) / MICROS_PER_S,
  };
  if (traffic.order === "random" || !network.rails)
    return algorithmS(gang.gpus, bytes, between) * MS_PER_S;
  const each = gang.domains.reduce((most, { gpus }) => Math.max(most, gpus), 1);
  return (
    hierarchicalS(gang.domains.length, each, bytes, inside, between, railsOf(gang), algorithmS) *
    MS_PER_S
  );
}

/** Rails that all domains of a gang have. */
function railsOf(gang: Gang): number {
  return gang.domains.reduce((least, { cards }) => Math.min(least, cards), Number.MAX_SAFE_INTEGER);
}
