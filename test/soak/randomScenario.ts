/** Seed → scenario: small clusters, mixed jobs, interventions of every kind, so that rare meetings of rules happen often. */
import { LAB_BACKFILLS, LAB_ORDERS, LAB_PLACEMENTS } from "../../src/model/policy.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The dice of the soak (mulberry32): the same seed gives the same scenario on every machine. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.whole(0, list.length - 1)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }

  chance(share: number): boolean {
    return this.roll() < share;
  }
}

const TIERS = ["critical", "high", "normal", "low"] as const;

type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];
type Change = NonNullable<ScenarioInput["interventions"]>[number];

export function randomScenario(seed: number): ScenarioInput {
  const dice = new Dice(seed);
  const nodes = dice.whole(1, 12);
  const gpus = dice.pick([1, 2, 4, 8]);
  const jobs = Array.from({ length: dice.whole(5, 80) }, (_, index) =>
    randomJob(dice, `j${index}`, index, nodes, gpus),
  );
  const horizonMs = dice.chance(0.3) ? dice.whole(1, 48) * HOUR_MS : null;
  const changes = Array.from({ length: dice.whole(0, 8) }, (_, index) =>
    randomChange(dice, index, jobs, nodes, gpus),
  ).filter((change) => horizonMs === null || change.atMs <= horizonMs);
  return {
    version: 1,
    title: `soak ${seed}`,
    seed,
    killAtLimit: dice.chance(0.8),
    ...(horizonMs === null ? {} : { horizonMs }),
    cluster: {
      nodeGroups: [{ id: "n", count: nodes, gpus, cpus: 64, memGiB: 512 }],
      ...(dice.chance(0.7) ? { fabric: { nodesPerLeaf: dice.whole(1, 4) } } : {}),
    },
    pools: [{ id: "all", policy: randomPolicy(dice) }],
    workload: { jobs },
    interventions: changes.sort((a, b) => a.atMs - b.atMs),
  };
}

function randomPolicy(dice: Dice): { settings: Record<string, string | number | boolean> } {
  return {
    settings: {
      order: dice.pick(LAB_ORDERS),
      backfill: dice.pick(LAB_BACKFILLS),
      placement: dice.pick(LAB_PLACEMENTS),
      gangTogether: dice.chance(0.85),
      ...(dice.chance(0.2) ? { depth: dice.whole(1, 5) } : {}),
    },
  };
}

function randomJob(dice: Dice, id: string, index: number, nodes: number, gpus: number): Job {
  // Whole minutes and few distinct times, so that arrivals and ends often meet in one instant.
  const workMs = dice.whole(0, 90) * MINUTE_MS;
  const shape = dice.chance(0.3)
    ? { nodes: dice.whole(1, nodes), gpusPerNode: dice.whole(1, gpus) }
    : {
        gpus: dice.chance(0.05)
          ? nodes * gpus + 1
          : dice.whole(1, Math.max(1, (nodes * gpus) >> 1)),
      };
  return {
    id,
    submitMs: dice.whole(0, 24) * 15 * MINUTE_MS,
    workMs,
    ...shape,
    ...(dice.chance(0.8) ? { limitMs: Math.max(MINUTE_MS, dice.whole(1, 120) * MINUTE_MS) } : {}),
    ...(dice.chance(0.3)
      ? { cpusPerGpu: dice.whole(1, 16), memGiBPerGpu: dice.whole(1, 128) }
      : {}),
    tier: dice.pick(TIERS),
    gang: dice.chance(0.8),
    preemptible: dice.chance(0.5),
    ...(dice.chance(0.1) ? { within: "leaf" as const } : {}),
    ...(index > 0 && dice.chance(0.1)
      ? {
          after: [
            {
              job: `j${dice.whole(0, index - 1)}`,
              kind: dice.pick(["after", "afterOk", "afterNotOk", "afterAny"] as const),
            },
          ],
        }
      : {}),
  };
}

function randomChange(
  dice: Dice,
  index: number,
  jobs: readonly Job[],
  nodes: number,
  gpus: number,
): Change {
  const atMs = dice.whole(0, 24) * 15 * MINUTE_MS;
  const node = () => [`n-${String(dice.whole(0, nodes - 1)).padStart(3, "0")}`];
  switch (dice.whole(0, 6)) {
    case 0:
      return { atMs, kind: "policy", policy: randomPolicy(dice) };
    case 1: {
      const { submitMs: _, after: __, ...job } = randomJob(dice, `x${index}`, 0, nodes, gpus);
      return { atMs, kind: "inject", job };
    }
    case 2:
      return { atMs, kind: "cancel", job: dice.pick(jobs).id };
    case 3:
      return { atMs, kind: "retier", job: dice.pick(jobs).id, tier: dice.pick(TIERS) };
    case 4:
      return { atMs, kind: "drain", nodes: node() };
    case 5:
      return { atMs, kind: "fail", nodes: node() };
    default:
      return { atMs, kind: "resume", nodes: node() };
  }
}
