/** The searches for victims against trying all sets. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fewestVictims,
  type MemberTrial,
} from "../../../src/scheduling/preemption/fewestVictims.ts";
import { greedyVictims } from "../../../src/scheduling/preemption/greedyVictims.ts";
import { loneVictim } from "../../../src/scheduling/preemption/loneVictim.ts";
import { type Candidate, compareSets } from "../../../src/scheduling/preemption/victimChoice.ts";

const RUNS = { numRuns: 400, endOnFailure: true };
const NODES = 3;
const GPUS = 4;

interface Victim extends Candidate {
  /** Devices on each node. */
  readonly on: readonly number[];
}

/** Victims on nodes of four devices; the job wants `members` of `each` devices on one node each. */
class Trial implements MemberTrial {
  readonly limited = false;
  readonly #free: number[];
  readonly #victims: readonly Victim[];
  readonly #each: number;
  readonly #wanted: number;

  constructor(victims: readonly Victim[], each: number, wanted: number, closed: readonly number[]) {
    this.#victims = victims;
    this.#each = each;
    this.#wanted = wanted;
    this.#free = Array.from({ length: NODES }, (_, node) => GPUS - closed[node]!);
    for (const { on } of victims)
      on.forEach((gpus, node) => {
        this.#free[node]! -= gpus;
      });
  }

  remove(victim: number): boolean {
    this.#victims[victim]!.on.forEach((gpus, node) => {
      this.#free[node]! += gpus;
    });
    return true;
  }

  restore(victim: number): void {
    this.#victims[victim]!.on.forEach((gpus, node) => {
      this.#free[node]! -= gpus;
    });
  }

  members(): number {
    const room = this.#free.reduce(
      (sum, free) => sum + Math.floor(Math.max(0, free) / this.#each),
      0,
    );
    return Math.min(this.#wanted, room);
  }

  fits(): boolean {
    return this.members() === this.#wanted;
  }

  missing(): number {
    const free = this.#free.reduce((sum, gpus) => sum + gpus, 0);
    return Math.max(0, this.#each * this.#wanted - free);
  }

  questions(): number {
    return 0;
  }
}

const cases = fc.record({
  victims: fc.array(
    fc.record({
      on: fc.tuple(
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
      ),
      tier: fc.integer({ min: 1, max: 3 }),
      lost: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 7 },
  ),
  each: fc.integer({ min: 1, max: 4 }),
  wanted: fc.integer({ min: 1, max: 4 }),
  closed: fc.tuple(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 2 }),
  ),
});

type Case = typeof cases extends fc.Arbitrary<infer V> ? V : never;

/** Victims that hold no more than there is, in order of preference. */
function victimsOf({ victims, closed }: Case): Victim[] {
  const left = Array.from({ length: NODES }, (_, node) => GPUS - closed[node]!);
  return victims
    .flatMap(({ on, tier, lost }, jobIdx): Victim[] => {
      if (on.every((gpus) => gpus === 0) || on.some((gpus, node) => gpus > left[node]!)) return [];
      on.forEach((gpus, node) => {
        left[node]! -= gpus;
      });
      return [
        {
          jobIdx,
          listed: jobIdx,
          tier,
          priority: 0,
          startMs: 0,
          endMs: 0,
          lostGpuMs: lost,
          overShare: 0,
          on,
        },
      ];
    })
    .sort((a, b) => b.tier - a.tier || a.lostGpuMs - b.lostGpuMs || a.jobIdx - b.jobIdx);
}

function bestByTryingAll(victims: readonly Victim[], trial: Trial): number[] | null {
  let best: number[] | null = null;
  for (let mask = 0; mask < 1 << victims.length; mask++) {
    const set = victims.flatMap((_, at) => ((mask >> at) & 1 ? [at] : []));
    for (const victim of set) trial.remove(victim);
    if (trial.fits() && (best === null || compareSets(victims, set, best) < 0)) best = set;
    for (const victim of set) trial.restore(victim);
  }
  return best;
}

function nodesOf(victims: readonly Victim[]) {
  return Array.from({ length: NODES }, (_, node) => ({
    node,
    victims: victims
      .map((_, at) => at)
      .filter((at) => victims[at]!.on[node]! > 0)
      .sort((a, b) => victims[b]!.on[node]! - victims[a]!.on[node]! || a - b),
  }));
}

test("the fewest victims are those that trying all sets finds", () => {
  const property = fc.property(cases, (one) => {
    const victims = victimsOf(one);
    const trial = new Trial(victims, one.each, one.wanted, one.closed);
    const expected = bestByTryingAll(victims, trial);
    const gpusOf = victims.map(({ on }) => on.reduce((sum, gpus) => sum + gpus, 0));
    const found = fewestVictims(victims, gpusOf, () => nodesOf(victims), trial);
    expect(found?.slice().sort((a, b) => a - b) ?? null).toEqual(expected);
  });
  fc.assert(property, RUNS);
});

test("who is enough alone, looked for in any order, is the one that the search for the fewest finds", () => {
  let alone = 0;
  const property = fc.property(cases, fc.infiniteStream(fc.nat()), (one, draws) => {
    const victims = victimsOf(one);
    const trial = new Trial(victims, one.each, one.wanted, one.closed);
    const sum = ({ on }: Victim) => on.reduce((all, gpus) => all + gpus, 0);
    const searched = fewestVictims(victims, victims.map(sum), () => nodesOf(victims), trial);
    for (const at of searched ?? []) trial.restore(at);
    const placeOf = (jobIdx: number) => victims.findIndex((victim) => victim.jobIdx === jobIdx);
    const jobs = victims
      .map(({ jobIdx }) => ({ jobIdx, draw: draws.next().value as number }))
      .sort((a, b) => a.draw - b.draw)
      .map(({ jobIdx }) => jobIdx);
    const facts = {
      gpusOf: (jobIdx: number) => sum(victims[placeOf(jobIdx)]!),
      candidateOf: (jobIdx: number) => victims[placeOf(jobIdx)]!,
    };
    const found = loneVictim(jobs, facts, {
      fits: () => trial.fits(),
      missing: () => trial.missing(),
      fitsWithout(jobIdx) {
        trial.remove(placeOf(jobIdx));
        const fits = trial.fits();
        trial.restore(placeOf(jobIdx));
        return fits;
      },
    });
    const expected = searched?.length === 1 ? victims[searched[0]!]!.jobIdx : -1;
    expect(found).toBe(expected);
    if (found >= 0) alone++;
  });
  fc.assert(property, RUNS);
  expect(alone).toBeGreaterThan(RUNS.numRuns / 20);
});

test("without trials left the set is still enough, and nobody of it could be left out", () => {
  const property = fc.property(cases, fc.integer({ min: 0, max: 3 }), (one, trials) => {
    const victims = victimsOf(one);
    const trial = new Trial(victims, one.each, one.wanted, one.closed);
    const gpusOf = victims.map(({ on }) => on.reduce((sum, gpus) => sum + gpus, 0));
    const found = fewestVictims(victims, gpusOf, () => nodesOf(victims), trial, trials);
    if (found === null) return;
    expect(trial.fits()).toBe(true);
    for (const victim of found) {
      trial.restore(victim);
      expect(trial.fits()).toBe(false);
      trial.remove(victim);
    }
  });
  fc.assert(property, RUNS);
});

test("victims in order: enough, and nobody of them could be left out", () => {
  const property = fc.property(cases, (one) => {
    const victims = victimsOf(one);
    const trial = new Trial(victims, one.each, one.wanted, one.closed);
    const expected = bestByTryingAll(victims, trial);
    const found = greedyVictims(victims.length, trial);
    expect(found === null).toBe(expected === null);
    for (const victim of found ?? []) {
      trial.restore(victim);
      expect(trial.fits()).toBe(false);
      trial.remove(victim);
    }
  });
  fc.assert(property, RUNS);
});
