/**
 * What each part of the policy lab costs: 100,000 jobs on 128 × 8 GPUs at a load of 0.9, each part beside the same run without it, as a ratio of processor time. The run
 * without is plain EASY on the fast road; a second ratio is to the same by the walk, which most parts include. `--jobs=N`, `--only=TEXT,TEXT`, `--load=0.9`,
 * `--repeat=3` (of each the quickest), `--records` (no times, but hashes of what was recorded).
 */
import { createHash } from "node:crypto";
import { addPresets } from "../../src/cli/presets.ts";
import type { Presets } from "../../src/engine/pool.ts";
import type { Scheduler } from "../../src/engine/view.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import { type JobLife, PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { World } from "../../src/model/world.ts";
import { walk } from "../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { nodes } from "../engine/machines.ts";
import { type Given, logWorld, option, timedRun } from "../engine/runs.ts";

const jobs = Number(option("jobs", "100000"));
const load = Number(option("load", "0.9"));
const only = option("only", "");
const repeat = Number(option("repeat", "3"));
const records = process.argv.includes("--records");
const WALK = "EASY by the walk";
const HOUR_MS = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;
const TEAMS = 16;
const LARGEST = 64;
const machine = nodes(128);

interface Part {
  readonly name: string;
  /** How much longer the run may take. */
  readonly aim: number;
  readonly settings?: Given;
  /** Fields of the document. */
  readonly document?: object;
  readonly change?: (world: World) => World;
  /** What the run without has too. */
  readonly without?: Pick<Part, "document" | "settings">;
}

function worldOf(part: Pick<Part, "settings" | "document" | "change">): World {
  const shape = { jobs, devices: machine.devices, largest: LARGEST, load, seed: 7, users: 64 };
  const document = { cluster: machine.cluster, ...part.document };
  const world = logWorld(document, { backfill: "easy", ...part.settings }, shape);
  const { at } = world.jobs;
  for (let job = 0; job < world.jobs.count; job++) {
    const draw = Math.imul(job, 0x9e3779b1) >>> 16;
    at.team[job] = draw % TEAMS;
    at.tier[job] = draw % 10 === 0 ? 0 : draw % 10 < 3 ? 2 : 3;
    at.flags[job] = at.flags[job]! | JobFlag.preemptible;
  }
  const teams = Array.from({ length: TEAMS }, (_, team) => ({
    id: `t${team}`,
    name: `t${team}`,
    shares: 1 + (team % 3),
    quotaGpus: machine.devices / TEAMS,
    budget: 1_000_000,
  }));
  return part.change?.({ ...world, teams }) ?? { ...world, teams };
}

function withLives(life: (job: number, world: World) => Partial<JobLife> | null) {
  return (world: World): World => {
    const lab = new Map(world.jobs.lab);
    for (let job = 0; job < world.jobs.count; job++) {
      const own = life(job, world);
      if (own !== null) lab.set(job, { ...PLAIN_LIFE, ...own });
    }
    return { ...world, jobs: { ...world.jobs, lab } };
  };
}

const CHECKPOINT = {
  everyMs: HOUR_MS,
  costMs: 60_000,
  sizeGiB: 0,
  location: "shared",
  restoreMs: 60_000,
  onSignal: true,
} as const;
/** Jobs from eight members on may do with half. */
const elastic = withLives((job, { jobs: { at, components } }) => {
  const members = components.members[at.firstComponent[job]!]!;
  if (members < 2 || members % 2 !== 0) return null;
  const allowed = [members / 2, members];
  components.minMembers[at.firstComponent[job]!] = members / 2;
  return {
    elastic: {
      minMembers: members / 2,
      maxMembers: members,
      allowed,
      restart: "none",
      rendezvousMs: 0,
      maxRestarts: 1_000,
      speedQ16: [32_768, 65_536],
    },
  };
});
const halves = (world: World): World => {
  const { components, at, count } = world.jobs;
  for (let job = 0; job < count; job++)
    if (at.gpuTotal[job] === 1) components.shareMilli[at.firstComponent[job]!] = 500;
  return world;
};
const ROOMY = { horizonMs: 3_000 * 24 * HOUR_MS };
const limit = {
  per: "team",
  index: -1,
  gpus: NEVER,
  gpuMs: NEVER,
  periodMs: NEVER,
  jobs: NEVER,
} as const;
const NETWORK = {
  nvlinkGBps: 450,
  nvlinkMicros: 3,
  nicGBps: 50,
  nicMicros: 5,
  nicsPerNode: 8,
  rails: true,
  oversubscription: 2,
};
const TRAFFIC = {
  stepMs: 500,
  allReduceGiB: 4,
  algorithm: "ring",
  order: "ranked",
  overlap: 0.3,
} as const;
const SERVICES = Array.from({ length: 4 }, (_, i) => ({
  id: `s${i}`,
  tier: "critical",
  maxReplicas: 16,
  minReplicas: 2,
  requestMs: 500,
  concurrency: 4,
  demand: { shape: "diurnal", perSec: 40, swing: 0.8, stepMs: HOUR_MS },
}));

const order = (name: string, more: Part["settings"] = {}): Part => ({
  name: `order ${name}`,
  aim: 2,
  settings: { order: name, ...more },
});
const gate = (name: string, aim = 2): Part => ({
  name: `quota ${name}`,
  aim,
  settings: { quota: name },
});
const preempting = (name: string, settings: Part["settings"]): Part => ({
  name: `preemption ${name}`,
  aim: 2,
  settings: { order: "tiers", ...settings },
  without: { settings: { order: "tiers" } },
});
const placing = (placement: string): Part => ({
  name: `placement ${placement}`,
  aim: 2,
  settings: { placement },
});

const PARTS: readonly Part[] = [
  order("shortest"),
  order("smallest"),
  order("largest"),
  order("aging"),
  order("multifactor", { shareOf: "user" }),
  order("leastSlack"),
  order("fairShare"),
  order("fairTree"),
  order("leastUsage"),
  order("drf"),
  order("maxMin"),
  order("leastAttained"),
  order("tiresias"),
  order("themis"),
  { name: "skip", aim: 2, settings: { backfill: "skip" } },
  { name: "10 reservations", aim: 2, settings: { backfill: "reservations", reservations: 10 } },
  { name: "test depth 100", aim: 2, settings: { testDepth: 100 } },
  { name: "run times by history", aim: 2, settings: { runTimes: "history" } },
  { name: "run times noisy", aim: 2, settings: { runTimes: "noisy" } },
  gate("static"),
  gate("borrow"),
  gate("reclaim"),
  gate("auction", 5),
  { name: "limits", aim: 2, change: (world) => ({ ...world, limits: [{ ...limit, gpus: 256 }] }) },
  preempting("requeue", { preemption: "requeue" }),
  preempting("suspend", { preemption: "suspend" }),
  preempting("graceful", { preemption: "graceful", graceMs: 60_000 }),
  { name: "checkpoints", aim: 2, change: withLives(() => ({ checkpoint: CHECKPOINT })) },
  { name: "start-up", aim: 2, change: withLives(() => ({ startupMs: 30_000 })) },
  {
    name: "failures",
    aim: 2,
    document: {
      ...ROOMY,
      failures: [{ of: "node", mtbfMs: 1_000 * HOUR_MS, repairMs: HOUR_MS }],
    },
  },
  { name: "elastic growth", aim: 5, settings: { growElastic: true }, change: elastic },
  placing("bestFit"),
  placing("fewestNodes"),
  placing("sameLeaf"),
  placing("fewestLeaves"),
  placing("fgd"),
  placing("dotProduct"),
  { name: "shares of devices", aim: 2, change: halves },
  {
    name: "communication",
    aim: 5,
    change: (world) => ({ ...withLives(() => ({ traffic: TRAFFIC }))(world), network: NETWORK }),
  },
  {
    name: "services",
    aim: 2,
    document: { ...ROOMY, services: SERVICES },
    without: { document: ROOMY },
  },
  {
    name: "windows",
    aim: 2,
    document: {
      ...ROOMY,
      windows: [
        {
          name: "nightly",
          startMs: HOUR_MS,
          durationMs: 2 * HOUR_MS,
          everyMs: 24 * HOUR_MS,
          nodeCount: 8,
          tiers: ["critical"],
        },
      ],
    },
    without: { document: ROOMY },
  },
];

function lastSubmitMs({ jobs: { at, count } }: World): number {
  return at.submitMs.subarray(0, count).reduce((a, b) => Math.max(a, b), 0);
}

/** Until the last submission: what is left then would be the same work twice with some parts. */
function secondsOf(world: World, presets: Presets): number {
  return timedRun(world, presets, lastSubmitMs(world)).seconds;
}

/** A hash of all columns of the record, reasons and gauges among them: the same before and after work on speed. */
function recordOf(world: World): string {
  const hash = createHash("sha256");
  const take = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(value as Uint8Array);
    else if (typeof value !== "object" || value === null) hash.update(String(value));
    else for (const one of Object.values(value)) take(one);
  };
  const { events } = timedRun(world, schedulerOf, lastSubmitMs(world), take);
  return `${events} events, record ${hash.digest("hex").slice(0, 16)}`;
}

addPresets();
const walking: Presets = () => walk as Scheduler<unknown>;
// The first run of all pays for compiling.
secondsOf(worldOf({}), schedulerOf);
const ratios: Record<string, number> = {};
const walkRatios: Record<string, number> = {};
/** In turns, so that what else the machine does falls on all alike; of each the quickest of some runs. */
function measure({ name, aim, without = {}, ...part }: Part): void {
  const own = { settings: part.settings, document: part.document, change: part.change };
  let plain = NEVER;
  let walked = NEVER;
  let seconds = NEVER;
  for (let turn = 0; turn < repeat; turn++) {
    plain = Math.min(plain, secondsOf(worldOf(without), schedulerOf));
    walked = Math.min(walked, secondsOf(worldOf(without), walking));
    if (name !== WALK) seconds = Math.min(seconds, secondsOf(worldOf(own as Part), schedulerOf));
  }
  if (name === WALK) seconds = walked;
  ratios[name] = seconds / plain;
  walkRatios[name] = seconds / walked;
  const to = (other: number) => (seconds / other).toFixed(2);
  const missed = seconds > aim * plain ? ", above the aim" : "";
  process.stdout.write(
    `${name.padEnd(28)} ${plain.toFixed(2)} s → ${seconds.toFixed(2)} s × ${to(plain)} (aim ${aim}${missed}), × ${to(walked)} of the walk without it\n`,
  );
}
for (const part of [{ name: WALK, aim: 2 }, ...PARTS]) {
  if (!only.split(",").some((text) => part.name.includes(text))) continue;
  try {
    if (records) process.stdout.write(`${part.name.padEnd(28)} ${recordOf(worldOf(part))}\n`);
    else measure(part);
  } catch (error) {
    process.stdout.write(`${part.name}: ${String(error)}\n`);
  }
}
process.stdout.write(`${JSON.stringify({ bench: "lab", jobs, load, ratios, walkRatios })}\n`);
