/**
 * Links that several jobs may cross: the cards of each domain, and the uplinks of each leaf. A link is tight while the jobs that cross it could use more than
 * it carries; only tight links make jobs depend on each other. So what a change concerns is found by walking from job to job over tight links, and
 * a job that comes where there is room concerns nobody. Sums are of whole numbers, so they do not depend on who came first.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { Network } from "../../model/lab/services.ts";
import { firstUplink, linkCapacities } from "../../model/network/linkCapacity.ts";

/** What a job asks of the links that it crosses. */
export interface Crossing {
  readonly mostRate: number;
  readonly links: readonly number[];
  readonly edges: readonly number[];
}

export class Links {
  /** Links below this are the cards of a domain, the others the uplinks of a leaf. */
  readonly firstLeaf: number;
  /** Bytes per ms. */
  readonly #capacity: Float64Array;
  /** What the jobs that cross it could use, bytes per ms. */
  readonly #asked: Float64Array;
  /** What they use. */
  readonly #used: Float64Array;
  readonly #jobs = new Map<number, Set<number>>();

  /** O(nodes). */
  constructor(cluster: Cluster, network: Network) {
    this.firstLeaf = firstUplink(cluster);
    this.#capacity = linkCapacities(cluster, network);
    this.#asked = new Float64Array(this.#capacity.length);
    this.#used = new Float64Array(this.#capacity.length);
  }

  readonly capacityOf = (link: number): number => this.#capacity[link]!;

  isTight(link: number): boolean {
    return this.#asked[link]! > this.#capacity[link]!;
  }

  /** Part of a link that is in use while all that cross it send. */
  loadOf(link: number): number {
    return this.#used[link]! / this.#capacity[link]!;
  }

  /** A job that crosses these links sends at another rate now: so many bytes per ms more an edge. */
  use({ links, edges }: Crossing, moreRate: number): void {
    for (let i = 0; i < links.length; i++)
      this.#used[links[i]!] = this.#used[links[i]!]! + edges[i]! * moreRate;
  }

  /** Jobs that cross a link. */
  jobsOn(link: number): ReadonlySet<number> {
    return this.#jobs.get(link) ?? NOBODY;
  }

  join(jobIdx: number, { mostRate, links, edges }: Crossing): void {
    links.forEach((link, place) => {
      this.#asked[link] = this.#asked[link]! + edges[place]! * mostRate;
      const jobs = this.#jobs.get(link);
      if (jobs) jobs.add(jobIdx);
      else this.#jobs.set(link, new Set([jobIdx]));
    });
  }

  leave(jobIdx: number, { mostRate, links, edges }: Crossing): void {
    links.forEach((link, place) => {
      this.#asked[link] = this.#asked[link]! - edges[place]! * mostRate;
      const jobs = this.#jobs.get(link);
      jobs?.delete(jobIdx);
      if (jobs?.size === 0) this.#jobs.delete(link);
    });
  }
}

const NOBODY: ReadonlySet<number> = new Set();
