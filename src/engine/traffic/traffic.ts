/**
 * Who communicates now, and how fast that lets each job go: its step at the packed placement ÷ its step as it is placed, on the share of the links that
 * max-min fairness gives it. Worked out once an instant, for jobs whose holdings or state have changed and those that share a full link with them, however far
 * away. All of it follows from holdings and states, job by job in order of their numbers, so a run that goes on from a snapshot has the same.
 */

import { GaugeCode } from "../../model/lab/gauges.ts";
import type { Traffic as JobTraffic } from "../../model/lab/jobLife.ts";
import type { Network } from "../../model/lab/services.ts";
import { type Flow, fairRates } from "../../model/network/fairRates.ts";
import { type Asked, type Gang, groundOf, packedGang } from "../../model/network/gang.ts";
import { aloneStepMs, edgesOf, stepMs } from "../../model/network/stepTime.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { World } from "../../model/world.ts";
import type { Recorder } from "../../record/recorder.ts";
import type { Allocations } from "../allocations.ts";
import type { Clock } from "../clock.ts";
import type { LiveJobs } from "../liveJobs.ts";
import { layoutOf } from "./layout.ts";
import { type Crossing, Links } from "./links.ts";

/** A job that communicates. */
interface Talk extends Crossing {
  readonly gang: Gang;
  readonly traffic: JobTraffic;
  readonly packedMs: number;
  rate: number;
  factorQ16: number;
}

/** What slows a job's communication: its own cards, or a link that it shares. */
export type TrafficLimit = "nic" | "uplink";

export class Traffic {
  readonly #world: World;
  readonly #network: Network;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #links: Links;
  readonly #ground;
  /** Whether several jobs may meet at a card: with one for each GPU they do not. */
  readonly #cardsShared: boolean;
  readonly #talks = new Map<number, Talk>();
  /** Steps at the packed placement, by what is sent and what is asked for. */
  readonly #packed = new Map<JobTraffic, Map<string, number>>();

  /** O(nodes). */
  constructor(
    world: World,
    network: Network,
    live: LiveJobs,
    allocations: Allocations,
    recorder: Recorder,
    clock: Clock,
  ) {
    this.#world = world;
    this.#network = network;
    this.#live = live;
    this.#allocations = allocations;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#links = new Links(world.cluster, network);
    this.#ground = groundOf(world.cluster);
    this.#cardsShared = this.#ground.gpusPerNode > network.nicsPerNode;
  }

  /** Part of the speed of a job, in 1/65,536, as of the last update. */
  factorQ16(jobIdx: number): number {
    return this.#talks.get(jobIdx)?.factorQ16 ?? SPEED_ONE;
  }

  /** What it goes slower by than packed; null where it does not. */
  limitOf(jobIdx: number): TrafficLimit | null {
    const talk = this.#talks.get(jobIdx);
    if (talk === undefined || talk.factorQ16 >= SPEED_ONE) return null;
    const shares = talk.rate < talk.mostRate;
    const upwards = talk.links.some(
      (link) => link >= this.#links.firstLeaf && this.#links.isTight(link),
    );
    return shares && upwards ? "uplink" : "nic";
  }

  /**
   * Jobs have come, gone or moved (ascending; `talks`: whether each communicates now). Appends those whose factor is another one now to `changed`. O(what they
   * hold, and the jobs that share full links with them).
   */
  update(touched: readonly number[], talks: (jobIdx: number) => boolean, changed: number[]): void {
    const leaves = new Set<number>();
    const jobs = new Set<number>();
    for (const jobIdx of touched) {
      const before = this.#talks.get(jobIdx);
      if (before) this.#leave(jobIdx, before, leaves, jobs);
      const talk = talks(jobIdx) ? this.#talkOf(jobIdx, before) : null;
      if (talk === null) {
        if (before && before.factorQ16 !== SPEED_ONE) changed.push(jobIdx);
        continue;
      }
      this.#talks.set(jobIdx, talk);
      this.#links.join(jobIdx, talk);
      jobs.add(jobIdx);
    }
    for (const jobIdx of touched) if (!this.#talks.has(jobIdx)) jobs.delete(jobIdx);
    this.#share(this.#reached(jobs), changed, leaves);
    for (const leaf of leaves)
      this.#recorder.gauge(
        GaugeCode.uplink,
        leaf - this.#links.firstLeaf,
        this.#links.loadOf(leaf),
      );
  }

  /** What is worked out again where the talks are given, for checks: the factor of each, ascending. */
  factors(): readonly (readonly [jobIdx: number, factorQ16: number])[] {
    return [...this.#talks]
      .map(([jobIdx, { factorQ16 }]) => [jobIdx, factorQ16] as const)
      .sort(([a], [b]) => a - b);
  }

  /** Whoever shared a full link with it is concerned. */
  #leave(jobIdx: number, talk: Talk, leaves: Set<number>, jobs: Set<number>): void {
    for (const link of talk.links) {
      if (link >= this.#links.firstLeaf) leaves.add(link);
      if (!this.#links.isTight(link)) continue;
      for (const other of this.#links.jobsOn(link)) jobs.add(other);
    }
    this.#links.leave(jobIdx, talk);
    this.#links.use(talk, -talk.rate);
    this.#talks.delete(jobIdx);
  }

  /** These jobs, and all that they reach over full links, in order of their numbers, with the full links of each. */
  #reached(jobs: Set<number>): [jobIdx: number, flow: Flow][] {
    const links = new Set<number>();
    const flows: [number, Flow][] = [];
    for (const jobIdx of jobs) {
      const talk = this.#talks.get(jobIdx)!;
      const flow = { mostRate: talk.mostRate, links: [] as number[], edges: [] as number[] };
      for (let i = 0; i < talk.links.length; i++) {
        const link = talk.links[i]!;
        if (!this.#links.isTight(link)) continue;
        flow.links.push(link);
        flow.edges.push(talk.edges[i]!);
        if (links.has(link)) continue;
        links.add(link);
        for (const other of this.#links.jobsOn(link)) jobs.add(other);
      }
      flows.push([jobIdx, flow]);
    }
    return flows.sort(([a], [b]) => a - b);
  }

  #share(
    reached: readonly (readonly [jobIdx: number, flow: Flow])[],
    changed: number[],
    leaves: Set<number>,
  ): void {
    const rates = fairRates(
      reached.map(([, flow]) => flow),
      this.#links.capacityOf,
    );
    reached.forEach(([jobIdx], place) => {
      const talk = this.#talks.get(jobIdx)!;
      const rate = rates[place]!;
      if (rate === talk.rate) return;
      this.#links.use(talk, rate - Math.max(0, talk.rate));
      for (const link of talk.links) if (link >= this.#links.firstLeaf) leaves.add(link);
      talk.rate = rate;
      const ms = stepMs(talk.gang, talk.traffic, this.#network, rate);
      const factorQ16 = Math.max(1, Math.floor((talk.packedMs * SPEED_ONE) / ms));
      if (factorQ16 === talk.factorQ16) return;
      talk.factorQ16 = factorQ16;
      changed.push(jobIdx);
    });
  }

  /** Null for a job alone on one GPU. */
  #talkOf(jobIdx: number, before: Talk | undefined): Talk | null {
    const traffic = this.#world.jobs.lab.get(jobIdx)!.traffic!;
    const slot = this.#live.slotOf[jobIdx]!;
    const { gang, domains, leaves, members } = layoutOf(
      this.#world.cluster,
      this.#network.nicsPerNode,
      this.#world.jobs.components.gpus,
      this.#allocations.holdings,
      this.#live.at.first[slot]!,
      this.#clock.nowMs,
    );
    if (gang.gpus < 2) return null;
    const packedMs = this.#packedMs(jobIdx, traffic, members);
    const factorQ16 = before?.factorQ16 ?? SPEED_ONE;
    // No rate yet: whatever it gets is new.
    const talk = { gang, traffic, packedMs, rate: -1, factorQ16 };
    if (domains.length === 1) return { ...talk, mostRate: 0, links: [], edges: [] };
    const { mostRate, ofDomain, ofLeaf } = edgesOf(gang, traffic, this.#network);
    const links = this.#cardsShared ? [...domains] : [];
    const edges = this.#cardsShared ? [...ofDomain] : [];
    if (leaves.length > 1) {
      for (const leaf of leaves) links.push(this.#links.firstLeaf + leaf);
      edges.push(...ofLeaf);
    }
    return { ...talk, mostRate, links, edges };
  }

  #packedMs(jobIdx: number, traffic: JobTraffic, members: ReadonlyMap<number, number>): number {
    const { at, components } = this.#world.jobs;
    const asked: Asked[] = [];
    for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++)
      asked.push({
        members: members.get(row) ?? 0,
        gpusEach: components.gpus[row]!,
        ownNode: components.ownNode[row] === 1,
      });
    const key = asked.map((part) => `${part.members} ${part.gpusEach} ${part.ownNode}`).join();
    const known = this.#packed.get(traffic) ?? new Map<string, number>();
    this.#packed.set(traffic, known);
    let ms = known.get(key);
    if (ms === undefined) {
      const gang = packedGang(asked, this.#ground, this.#network.nicsPerNode);
      ms = aloneStepMs(gang, traffic, this.#network);
      known.set(key, ms);
    }
    return ms;
  }
}
