/**
 * Who communicates now, and how fast that lets each job go: its step at the packed placement ÷ its step as it is placed, on the share of the links that
 * max-min fairness gives it. Worked out once an instant, for jobs whose holdings or state have changed and those that share a full link with them, however far
 * away. All of it follows from holdings and states, job by job in order of their numbers, so a run that goes on from a snapshot has the same.
 */

import { GaugeCode } from "../../model/lab/gauges.ts";
import type { Traffic as JobTraffic } from "../../model/lab/jobLife.ts";
import type { Network } from "../../model/lab/services.ts";
import { fairRates } from "../../model/network/fairRates.ts";
import { type Asked, type Gang, groundOf, packedGang } from "../../model/network/gang.ts";
import { aloneStepMs, EDGE_ONE, edgesOf, stepMs } from "../../model/network/stepTime.ts";
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
    const links = new Set<number>();
    const jobs = new Set<number>();
    for (const jobIdx of touched) {
      const before = this.#talks.get(jobIdx);
      for (const link of before?.links ?? []) this.#note(link, links, jobs);
      if (before) this.#links.leave(jobIdx, before);
      this.#talks.delete(jobIdx);
      const talk = talks(jobIdx) ? this.#talkOf(jobIdx, before) : null;
      if (talk === null) {
        if (before && before.factorQ16 !== SPEED_ONE) changed.push(jobIdx);
        continue;
      }
      this.#talks.set(jobIdx, talk);
      this.#links.join(jobIdx, talk);
      for (const link of talk.links) links.add(link);
      jobs.add(jobIdx);
    }
    for (const link of links) this.#note(link, links, jobs);
    for (const jobIdx of touched) if (!this.#talks.has(jobIdx)) jobs.delete(jobIdx);
    this.#share(this.#reached(jobs, links), changed);
    for (const link of links) this.#gauge(link);
  }

  /** What is worked out again where the talks are given, for checks: the factor of each, ascending. */
  factors(): readonly (readonly [jobIdx: number, factorQ16: number])[] {
    return [...this.#talks]
      .map(([jobIdx, { factorQ16 }]) => [jobIdx, factorQ16] as const)
      .sort(([a], [b]) => a - b);
  }

  /** A link that was or is full concerns all jobs on it. */
  #note(link: number, links: Set<number>, jobs: Set<number>): void {
    links.add(link);
    if (this.#links.isTight(link)) for (const jobIdx of this.#links.jobsOn(link)) jobs.add(jobIdx);
  }

  /** These jobs, and all that they reach over full links; in order. Adds the links on the way. */
  #reached(jobs: Set<number>, links: Set<number>): number[] {
    for (const jobIdx of jobs) {
      for (const link of this.#talks.get(jobIdx)!.links) {
        links.add(link);
        if (!this.#links.isTight(link)) continue;
        for (const other of this.#links.jobsOn(link)) jobs.add(other);
      }
    }
    return [...jobs].sort((a, b) => a - b);
  }

  #share(jobs: readonly number[], changed: number[]): void {
    const sharing = jobs.filter((jobIdx) =>
      this.#talks.get(jobIdx)!.links.some((link) => this.#links.isTight(link)),
    );
    const flows = sharing.map((jobIdx) => {
      const { mostRate, links, edges } = this.#talks.get(jobIdx)!;
      const tight = [...links.keys()].filter((place) => this.#links.isTight(links[place]!));
      return {
        mostRate,
        links: tight.map((place) => links[place]!),
        edges: tight.map((place) => edges[place]!),
      };
    });
    const rates = fairRates(flows, this.#links.capacityOf);
    const rateOf = new Map(sharing.map((jobIdx, place) => [jobIdx, rates[place]!]));
    for (const jobIdx of jobs) {
      const talk = this.#talks.get(jobIdx)!;
      const rate = rateOf.get(jobIdx) ?? talk.mostRate;
      if (rate === talk.rate) continue;
      talk.rate = rate;
      const ms = stepMs(talk.gang, talk.traffic, this.#network, rate);
      const factorQ16 = Math.max(1, Math.floor((talk.packedMs * SPEED_ONE) / ms));
      if (factorQ16 === talk.factorQ16) continue;
      talk.factorQ16 = factorQ16;
      changed.push(jobIdx);
    }
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
    const talk = { gang, traffic, packedMs, rate: -1, factorQ16 };
    if (domains.length === 1) return { ...talk, mostRate: 0, links: [], edges: [] };
    const { mostRate, ofDomain, ofLeaf } = edgesOf(gang, traffic, this.#network);
    const { firstLeaf } = this.#links;
    if (leaves.length === 1) return { ...talk, mostRate, links: domains, edges: ofDomain };
    return {
      ...talk,
      mostRate,
      links: [...domains, ...leaves.map((leaf) => firstLeaf + leaf)],
      edges: [...ofDomain, ...ofLeaf],
    };
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

  #gauge(link: number): void {
    const { firstLeaf } = this.#links;
    if (link < firstLeaf) return;
    let used = 0;
    for (const jobIdx of this.#links.jobsOn(link)) {
      const { rate, links, edges } = this.#talks.get(jobIdx)!;
      used += edges[links.indexOf(link)]! * rate;
    }
    const load = used / (this.#links.capacityOf(link) * EDGE_ONE);
    this.#recorder.gauge(GaugeCode.uplink, link - firstLeaf, load);
  }
}
