/**
 * Dependencies over time: what starts and ends of jobs decide, counted in the slots of the jobs that wait for them, so that each decided edge costs
 * O(1). Whether a job that still depends on another is held or queued is the caller's affair.
 */
import type { JobTable } from "../model/jobs.ts";
import type { Clock } from "./clock.ts";
import { Dependencies, EdgeState } from "./dependencies.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Hears of a living job when all that it depends on is met, or can never be. */
export interface DependencyHost {
  dependencyMet(slot: number): void;
  dependencyNeverMet(slot: number): void;
}

export class DependencyLife {
  readonly edges: Dependencies;
  readonly #live: LiveJobs;
  readonly #events: EventQueue;
  readonly #clock: Clock;
  readonly #host: DependencyHost;

  constructor(
    jobs: JobTable,
    live: LiveJobs,
    events: EventQueue,
    clock: Clock,
    host: DependencyHost,
  ) {
    this.edges = new Dependencies(jobs, live.jobState);
    this.#live = live;
    this.#events = events;
    this.#clock = clock;
    this.#host = host;
  }

  /** A job has come: counts what it depends on. O(its dependencies). */
  begin(slot: number, jobIdx: number): void {
    if (!this.edges.any) return;
    const { at } = this.#live;
    const open = this.edges.openOf(jobIdx);
    at.dependencies[slot] = open.required + (this.edges.singletons.waits(jobIdx) ? 1 : 0);
    at.alternatives[slot] = open.alternatives;
    at.neverMet[slot] = open.never ? 1 : 0;
  }

  /** A job's run has started. O(edges on it). */
  started(jobIdx: number): void {
    if (!this.edges.any) return;
    for (const edge of this.edges.edgesOn(jobIdx)) this.#decide(edge, this.edges.onStart(edge));
  }

  /** A job is done. O(edges on it). */
  ended(jobIdx: number, endState: number): void {
    if (!this.edges.any) return;
    for (const edge of this.edges.edgesOn(jobIdx))
      this.#decide(edge, this.edges.onEnd(edge, endState));
    const next = this.edges.singletons.ended(jobIdx);
    const slot = next < 0 ? -1 : this.#live.slotOf[next]!;
    if (slot >= 0) this.#count(slot);
  }

  /** The time after a start has passed. */
  delayed(edge: number): void {
    this.#settle(edge, EdgeState.met);
  }

  #decide(edge: number, outcome: number): void {
    if (outcome === EdgeState.open || this.edges.state[edge] !== EdgeState.open) return;
    const delayMs = this.edges.delayMs(edge);
    if (outcome === EdgeState.met && delayMs > 0) {
      this.edges.state[edge] = EdgeState.counting;
      this.#events.push(this.#clock.nowMs + delayMs, EventClass.dependency, edge, 0);
    } else this.#settle(edge, outcome);
  }

  #settle(edge: number, outcome: number): void {
    this.edges.state[edge] = outcome;
    const slot = this.#live.slotOf[this.edges.dependentOf(edge)]!;
    const { at } = this.#live;
    if (slot < 0 || at.neverMet[slot] === 1) return;
    if (this.edges.isAlternative(edge)) this.#countAlternative(slot, outcome);
    else if (outcome === EdgeState.never) this.#giveUp(slot);
    else this.#count(slot);
  }

  #count(slot: number): void {
    const { at } = this.#live;
    at.dependencies[slot] = at.dependencies[slot]! - 1;
    this.#tellIfMet(slot);
  }

  #countAlternative(slot: number, outcome: number): void {
    const { at } = this.#live;
    const open = at.alternatives[slot]!;
    if (open < 0) return;
    at.alternatives[slot] = outcome === EdgeState.met ? -1 : open - 1;
    if (at.alternatives[slot] === 0) this.#giveUp(slot);
    else if (outcome === EdgeState.met) this.#tellIfMet(slot);
  }

  #tellIfMet(slot: number): void {
    const { at } = this.#live;
    if (at.neverMet[slot] === 1) return;
    if (at.dependencies[slot] === 0 && at.alternatives[slot]! < 0) this.#host.dependencyMet(slot);
  }

  #giveUp(slot: number): void {
    this.#live.at.neverMet[slot] = 1;
    this.#host.dependencyNeverMet(slot);
  }
}
