/**
 * The trial of a take-back: members that fit are counted on the nodes of each run as it goes or comes back (`ShapeTrial`), and only where that count says
 * yes, and something else may still say no, the walk is asked, which looks at the whole pool. O(nodes + holdings of the candidates) to begin with, then
 * O(nodes of the run). On a flat machine the walk's own answer is a sum already.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { type Shape, shapesOf } from "../../../../scheduling/placement/shapes.ts";
import { ShapeTrial } from "../../../../scheduling/preemption/shapeTrial.ts";
import type { TakeBackTrial } from "../../../../scheduling/quota/takeBack.ts";
import type { Chance } from "../parts.ts";

class CountedTakeBack implements TakeBackTrial {
  readonly #count = new ShapeTrial();
  readonly #placeOf = new Map<number, number>();
  #chance!: Chance;
  #countSays = false;
  isMonotone = false;

  begin(view: PoolView, shape: Shape, candidates: readonly number[], chance: Chance): void {
    this.#chance = chance;
    this.#countSays = chance.countSays;
    // Parts of several kinds may get into each other's way.
    this.isMonotone = shape.parts.length === 1;
    this.#placeOf.clear();
    for (let at = 0; at < candidates.length; at++) this.#placeOf.set(candidates[at]!, at);
    const { hasParts } = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
    this.#count.begin(view, shape, hasParts, candidates, null);
  }

  without(jobIdx: number): void {
    this.#count.remove(this.#placeOf.get(jobIdx)!);
    this.#chance.without(jobIdx);
  }

  with(jobIdx: number): void {
    this.#count.restore(this.#placeOf.get(jobIdx)!);
    this.#chance.with(jobIdx);
  }

  mayFit(): boolean {
    return this.#count.fits();
  }

  fits(): boolean {
    return this.#count.fits() && (this.#countSays || this.#chance.fits());
  }
}

const counted = new CountedTakeBack();

/** What a take-back from these candidates is tried on; valid until the next one is made. */
export function takeBackTrial(
  view: PoolView,
  shape: Shape,
  candidates: readonly number[],
  chance: Chance,
): TakeBackTrial {
  if (view.cluster.flat) return chance;
  counted.begin(view, shape, candidates, chance);
  return counted;
}
