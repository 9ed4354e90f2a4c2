/** Small crowded scenarios of the policy lab, the same for each number: so full of everything that any rule has somebody to decide about. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { Dice } from "../soak/randomScenario.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIERS = ["critical", "high", "normal", "low"] as const;

type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];
type Settings = Readonly<Record<string, string | number | boolean>>;

/** What jobs ask for beside time and devices. */
export type Crowd = "plain" | "wide" | "models" | "elastic" | "parts";

/** 40 jobs of four tiers, three teams and four users on four nodes of eight devices under two leaves; work for about twice the time that they come in. */
export function crowd(kind: Crowd, number: number, settings: Settings): ScenarioInput {
  const dice = new Dice(1_000 + number);
  const jobs = Array.from({ length: 40 }, (_, index) => jobOf(dice, kind, number, `j${index}`));
  return {
    version: 1,
    title: `${kind} ${number}`,
    seed: number,
    cluster: {
      nodeGroups: [
        {
          id: "n",
          count: kind === "models" ? 2 : kind === "wide" ? 6 : 4,
          gpus: 8,
          cpus: 64,
          memGiB: 512,
          numaDomains: 2,
          nvswitchNodes: 1,
        },
        ...(kind === "models"
          ? [{ id: "m", count: 2, gpus: 8, cpus: 64, memGiB: 512, gpuModel: "A100" }]
          : []),
      ],
      fabric: { nodesPerLeaf: 2 },
    },
    teams: [
      { id: "red", shares: 3, quotaGpus: 16, budget: 40 },
      { id: "blue", shares: 1, quotaGpus: 8, budget: 20 },
      { id: "green", shares: 1, quotaGpus: 8, budget: 5 },
    ],
    pools: [{ id: "all", policy: { settings: { ...settings } } }],
    workload: { jobs },
    horizonMs: 200 * HOUR_MS,
  };
}

function jobOf(dice: Dice, kind: Crowd, number: number, id: string): Job {
  // In crowds of even number arrivals and ends meet at full half hours.
  const stepMs = number % 2 === 0 ? 30 * MINUTE_MS : 1;
  const timeMs = (most: number) => dice.whole(1, most / stepMs) * stepMs;
  const workMs = timeMs(3 * HOUR_MS);
  const size = sizeOf(dice, kind);
  const preemptible = dice.chance(0.9);
  return {
    id,
    submitMs: timeMs(10 * HOUR_MS),
    workMs,
    ...size,
    limitMs: workMs + (dice.chance(0.3) ? 0 : timeMs(4 * HOUR_MS)),
    tier: dice.pick(TIERS),
    team: dice.pick(["red", "red", "blue", "green"]),
    user: dice.pick(["ann", "bob", "cy", "di"]),
    gang: dice.chance(0.9),
    preemptible,
    ...(dice.chance(0.7) ? { bid: dice.whole(1, 9) } : {}),
    ...(dice.chance(0.3) ? { hangsOnEndMs: HOUR_MS } : {}),
    priority: dice.whole(0, 5),
    deadlineInMs: dice.whole(1, 24) * HOUR_MS,
    ...(dice.chance(0.5) ? { collectiveTimeoutMs: 10 * MINUTE_MS } : {}),
    ...(dice.chance(0.15) ? { maxEvictions: 1 } : {}),
    ...(dice.chance(0.5)
      ? {
          checkpoint: {
            every: 20 * MINUTE_MS,
            costMs: MINUTE_MS,
            restoreMs: MINUTE_MS,
            onSignal: dice.chance(0.7),
          },
        }
      : {}),
    ...(kind === "models"
      ? {
          gpuModels: [
            { model: "H100", speed: 1 },
            { model: "A100", speed: dice.pick([0.25, 0.5, 0.9]) },
          ],
        }
      : {}),
    ...(kind === "plain" && dice.chance(0.3) ? { remoteNumaSpeed: 0.5 } : {}),
  };
}

function sizeOf(dice: Dice, kind: Crowd): Partial<Job> {
  if (kind === "parts" && dice.chance(0.8)) {
    const gpuShareMilli = dice.pick([200, 300, 500, 700]);
    const migProfile = dice.pick(["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb"]);
    const part = dice.chance(0.5) ? { gpuShareMilli } : { migProfile };
    const other = dice.pick(["1g.10gb", "3g.40gb"]);
    if ("migProfile" in part && dice.chance(0.5)) {
      const members = dice.whole(1, 3);
      return {
        components: [
          { members, migProfile },
          { members, migProfile: other },
        ],
      };
    }
    return {
      components: [{ members: dice.whole(1, 6), gpusPerMember: 1, cpusPerMember: 2, ...part }],
    };
  }
  if (kind === "elastic" && dice.chance(0.6)) {
    const members = dice.whole(2, 12);
    const elastic = {
      minMembers: Math.ceil(members / 2),
      maxMembers: members * 2,
      rendezvousMs: MINUTE_MS,
    };
    return { gpus: members, elastic };
  }
  if (dice.chance(0.25)) return { nodes: dice.whole(1, 3), gpusPerNode: dice.pick([2, 3, 4, 8]) };
  if (dice.chance(0.2))
    return { components: [{ members: 2, gpusPerMember: 0, cpusPerMember: dice.pick([8, 24]) }] };
  if (kind === "wide") return { gpus: dice.pick([2, 4, 8, 12, 18, 24, 30]) };
  return { gpus: dice.pick([1, 1, 2, 3, 4, 5, 8, 12, 16]), cpusPerGpu: dice.pick([1, 4, 7, 12]) };
}
