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
  readonly #gone = new Set<number>();
  #jobs: readonly number[] = [];
  #chance: Chance | null = null;
  #questions = 0;
  #countSays = false;

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
    this.#gone.clear();
    const { hasParts } = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
    this.#count.begin(view, shape, hasParts, jobs, quota);
  }

  /** Everybody is there again, as far as the walk knows. */
  end(): void {
    for (const victim of this.#gone) this.#chance!.with(this.#jobs[victim]!);
    this.#gone.clear();
  }

  remove(victim: number): boolean {
    if (!this.#count.remove(victim)) return false;
    this.#gone.add(victim);
    this.#chance!.without(this.#jobs[victim]!);
    return true;
  }

  restore(victim: number): void {
    this.#count.restore(victim);
    this.#gone.delete(victim);
    this.#chance!.with(this.#jobs[victim]!);
  }

  /** The walk's answer takes such a victim for gone: of members it knows nothing. */
  lose(victim: number, members: number): void {
    this.#count.lose(victim, members);
    if (members > 0) {
      this.#gone.add(victim);
      this.#chance!.without(this.#jobs[victim]!);
    } else {
      this.#gone.delete(victim);
      this.#chance!.with(this.#jobs[victim]!);
    }
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
    return this.#countSays || this.#chance!.fits();
  }

  /** The same, asked of the walk whoever could tell: it keeps the place that it finds. */
  finds(): boolean {
    return this.#count.fits() && this.#chance!.fits();
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

  /** Whether the job could start without all of the first so many candidates: if not, no search need begin. O(their rows) and one question. */
  couldFit(count: number): boolean {
    let missing = this.#count.missing();
    for (let victim = 0; victim < count && missing > 0; victim++)
      missing -= this.#count.gpusOf(victim);
    if (count === 0 || missing > 0) return false;
    const removed: number[] = [];
    for (let victim = 0; victim < count; victim++) if (this.remove(victim)) removed.push(victim);
    const fits = this.fits();
    for (const victim of removed) this.restore(victim);
    return fits;
  }

  gpusOf(victim: number): number {
    return this.#count.gpusOf(victim);
  }

  nodesWithVictims(): NodeVictims[] {
    return this.#count.nodesWithVictims();
  }
}
