/**
 * The search's trial in the walk: the quick count of `ShapeTrial` first, and where that says yes the walk's own answer (`Chance`), which knows the
 * placement rule and all that is kept for others.
 */
import type { PoolView } from "../../../../engine/view.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";
import { shapesOf } from "../../../../scheduling/placement/shapes.ts";
import type { MemberTrial, NodeVictims } from "../../../../scheduling/preemption/fewestVictims.ts";
import type { LossTrial } from "../../../../scheduling/preemption/memberVictims.ts";
import type { NodeTrial } from "../../../../scheduling/preemption/nodeVictims.ts";
import { ShapeTrial, type VictimQuota } from "../../../../scheduling/preemption/shapeTrial.ts";
import type { Chance } from "../parts.ts";

export class ChanceTrial implements MemberTrial, LossTrial, NodeTrial {
  readonly #count = new ShapeTrial();
  /** By victim: taken away. */
  #gone = new Uint8Array(64);
  /** Jobs that the walk takes for gone. */
  readonly #told: number[] = [];
  #jobs: readonly number[] = [];
  #chance: Chance | null = null;
  #questions = 0;
  #countSays = false;
  #limited = false;

  get limited(): boolean {
    return this.#limited;
  }

  /** Victims are named by their place in `jobs`. O(nodes + holdings). */
  begin(
    view: PoolView,
    shape: Shape,
    jobs: readonly number[],
    quota: VictimQuota | null,
    chance: Chance,
  ): void {
    this.#jobs = jobs;
    this.#chance = chance;
    this.#countSays = chance.countSays;
    this.#limited = (view.world.disruptionBudgets?.length ?? 0) > 0;
    if (this.#gone.length < jobs.length) this.#gone = new Uint8Array(jobs.length * 2);
    else this.#gone.fill(0, 0, jobs.length);
    const { hasParts } = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
    this.#count.begin(view, shape, hasParts, jobs, quota);
  }

  /** Everybody is there again, as far as the walk knows. */
  end(): void {
    for (let at = 0; at < this.#told.length; at++) this.#chance!.with(this.#told[at]!);
    if (this.#told.length > 0) this.#told.length = 0;
  }

  /** All of these jobs are there again, in another order: each of `places` says where one stood. O(nodes + jobs). */
  beginAgain(jobs: readonly number[], places: readonly number[]): void {
    this.end();
    this.#jobs = jobs;
    this.#gone.fill(0, 0, jobs.length);
    this.#count.beginAgain(jobs, places);
  }

  /** Asks the walk, who then knows who is gone. */
  #ask(): boolean {
    this.end();
    for (let victim = 0; victim < this.#jobs.length; victim++) {
      if (this.#gone[victim] === 0) continue;
      this.#told.push(this.#jobs[victim]!);
      this.#chance!.without(this.#jobs[victim]!);
    }
    return this.#chance!.fits();
  }

  remove(victim: number): boolean {
    if (!this.#count.remove(victim)) return false;
    this.#gone[victim] = 1;
    return true;
  }

  restore(victim: number): void {
    this.#count.restore(victim);
    this.#gone[victim] = 0;
  }

  /** The walk's answer takes such a victim for gone: of members it knows nothing. */
  lose(victim: number, members: number): void {
    this.#count.lose(victim, members);
    this.#gone[victim] = members > 0 ? 1 : 0;
  }

  membersOf(victim: number): number {
    return this.#count.membersOf(victim);
  }

  isEmpty(node: number): boolean {
    return this.#count.isEmpty(node);
  }

  fits(): boolean {
    if (!this.#count.fits()) return false;
    // Where the count decides, the search still counts it as a question: what it finds does not hang on who answered.
    this.#questions++;
    return this.#countSays || this.#ask();
  }

  /** The same, asked of the walk whoever could tell: it keeps the place that it finds, or knows that there is none. */
  finds(): boolean {
    return this.#ask();
  }

  questions(): number {
    return this.#questions;
  }

  members(): number {
    return this.#count.members();
  }

  missing(): number {
    return this.#count.missing();
  }

  /** Whether the job could start without all of the first so many candidates, which are gone then: if not, no search need begin. O(their rows) and one question. */
  couldFit(count: number): boolean {
    let missing = this.#count.missing();
    for (let victim = 0; victim < count && missing > 0; victim++)
      missing -= this.#count.gpusOf(victim);
    if (count === 0 || missing > 0) return false;
    for (let victim = 0; victim < count; victim++) this.remove(victim);
    return this.fits();
  }

  gpusOf(victim: number): number {
    return this.#count.gpusOf(victim);
  }

  nodesWithVictims(): NodeVictims[] {
    return this.#count.nodesWithVictims();
  }
}
