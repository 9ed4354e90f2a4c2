/**
 * Queues, their dues and what they hold, in words. Each form of text becomes a pool with teams under the lab's quotas: reclaim up to the quota, or up to
 * the fair share where no quota is named. Jobs that "run" before others come are submitted at 0, and run for long.
 */
import type { FieldCase } from "../fieldCaseFile.ts";
import { MINUTE_MS } from "../fieldCaseScenario.ts";
import { type HandJob, heldAt, jobOf, labOf, runDocument, startsOf } from "./runDocument.ts";
import { countOf, jobsInWords, type Statement, side, textOf } from "./statement.ts";

const LONG_MIN = 10_000;

export function queuesAndQuotas(one: FieldCase): Statement[] {
  return [
    ...overDue(one),
    ...nominal(one),
    ...sharesOfTwo(one),
    ...newcomer(one),
    ...undivided(one),
    ...charged(one),
  ];
}

interface Team {
  readonly id: string;
  readonly quotaGpus?: number;
}

function pool(
  one: FieldCase,
  teams: readonly Team[],
  jobs: readonly HandJob[],
  settings: Record<string, string | number | boolean>,
) {
  const { pool: size, nodes = [] } = one.scenario.cluster;
  const gpus =
    size === undefined
      ? nodes.reduce((sum, node) => sum + node.gpus, 0)
      : typeof size === "number"
        ? size
        : size.gpus;
  return runDocument({
    cluster: { nodeGroups: [{ id: "pool", count: 1, gpus }], flat: true },
    teams,
    pools: labOf(settings),
    workload: { jobs: jobs.map(jobOf) },
  });
}

const singles = (
  name: string,
  team: string,
  count: number,
  atMin: number,
  workMin: number,
): HandJob[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${name}${i}`,
    atMin,
    workMin,
    more: { team, user: team },
  }));

function evictionsOf(one: FieldCase, came: number): Statement[] {
  const said = side(one, "expected")["evictions"];
  return typeof said === "number" ? [{ name: "evictions", expected: said, came }] : [];
}

/** `queue P due 24 uses 40; queue M due 40 uses 24; P asks for 3 more` */
function overDue(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const queues = [...words.matchAll(/queue (\w+) due (\d+) uses (\d+)/g)];
  const [, asks, more] = /(\w+) asks for (\d+) more/.exec(words) ?? [];
  if (queues.length === 0 || asks === undefined) return [];
  const teams = queues.map(([, id, due]) => ({ id: id!, quotaGpus: Number(due) }));
  const jobs = queues.flatMap(([, id, , uses]) =>
    singles(`${id}-`, id!, Number(uses), 0, LONG_MIN),
  );
  const asked = { id: "asked", atMin: 1, gpus: Number(more), workMin: 1, more: { team: asks } };
  return evictionsOf(one, pool(one, teams, [...jobs, asked], { quota: "reclaim" }).evictions);
}

/** `A1 250 (queue A, nominal 150) running; …; A2 50 submitted at 1` */
function nominal(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const running = [...words.matchAll(/(\w+) (\d+) \(queue (\w+), nominal (\d+)\) running/g)];
  const [, late, gpus, at] = /(\w+) (\d+) submitted at (\d+)/.exec(words) ?? [];
  if (running.length === 0 || late === undefined) return [];
  const teams = running.map(([, , , id, quota]) => ({ id: id!, quotaGpus: Number(quota) }));
  const owner = teams
    .filter(({ id }) => late.startsWith(id))
    .sort((a, b) => b.id.length - a.id.length)[0];
  if (owner === undefined) return [];
  const jobs = running.map(([, id, size, team]) => ({
    id: id!,
    gpus: Number(size),
    workMin: LONG_MIN,
    more: { team: team! },
  }));
  const come = {
    id: late,
    atMin: Number(at),
    gpus: Number(gpus),
    workMin: 1,
    more: { team: owner.id },
  };
  const run = pool(one, teams, [...jobs, come], { quota: "reclaim" });
  const statements = evictionsOf(one, run.evictions);
  for (const [name, said] of Object.entries(side(one, "expected"))) {
    if (name === late && /^pending/.test(textOf(said)))
      statements.push({
        name,
        expected: true,
        came: (startsOf(run, late)[0] ?? LONG_MIN) >= LONG_MIN,
      });
    if (jobs.some(({ id }) => id === name) && /^keeps running/.test(textOf(said)))
      statements.push({ name, expected: 1, came: startsOf(run, name).length });
  }
  return statements;
}

/** `A: 5 pods running in queue a; B: 5 pods, 3 fit; equal weights, deserved 4:4` */
function sharesOfTwo(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const jobs = [...words.matchAll(/(\w+): (\d+) pods( running)?/g)];
  if (jobs.length !== 2 || !/equal weights/.test(words)) return [];
  const teams = jobs.map(([, id]) => ({ id: id! }));
  const pods = jobs.flatMap(([, id, count, running]) =>
    singles(`${id}-`, id!, Number(count), running === undefined ? 1 : 0, LONG_MIN),
  );
  const run = pool(one, teams, pods, { quota: "reclaim" });
  const final = textOf(side(one, "expected")["final"]);
  const came = teams.map(({ id }) => heldAt(run, 1, (job) => job.startsWith(`${id}-`))).join(":");
  return [
    ...evictionsOf(one, run.evictions),
    ...(/^\d+:\d+$/.test(final) ? [{ name: "final", expected: final, came }] : []),
  ];
}

/** `alice: 12 one-GPU jobs from 0, runtime 240; bob (quota 2): 12 one-GPU jobs at 60, runtime 240; equal weights` */
function newcomer(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const users = [
    ...words.matchAll(
      /(\w+)(?: \(quota (\d+)\))?: (\d+) (\w+)-GPU jobs (?:from|at) (\d+), runtime (\d+)/g,
    ),
  ];
  if (users.length < 2) return [];
  // Towards the fair share weights count alone, and they are equal; who has no quota named has none.
  const teamsFor = (goal: string): Team[] =>
    users.map(([, id, quota = "0"]) =>
      goal === "quota" ? { id: id!, quotaGpus: Number(quota) } : { id: id! },
    );
  const jobs = users.flatMap(([, id, , count, gpus, at, runtime]) =>
    singles(`${id}-`, id!, Number(count), Number(at), Number(runtime)).map((job) => ({
      ...job,
      gpus: countOf(gpus!),
    })),
  );
  return (["observed", "expected"] as const).flatMap((name) => {
    const said = side(one, name);
    const [, goal] = /reclaim to (quota|fair share)/.exec(textOf(said["policy"])) ?? [];
    if (goal === undefined) return [];
    const reclaimTo = goal === "quota" ? "quota" : "fairShare";
    const settings = {
      quota: "reclaim",
      reclaimTo,
      order: "leastUsage",
      halfLifeMs: 0,
      shareOf: "team",
    };
    const run = pool(one, teamsFor(goal), jobs, settings);
    return Object.entries(said).flatMap(([key, value]): Statement[] => {
      if (typeof value !== "number") return [];
      if (key === "evictions") return [{ name: key, expected: value, came: run.evictions }];
      const [, user, at] = /^(\w+)_gpus_at_(\d+)$/.exec(key) ?? [];
      if (user === undefined) return [];
      return [
        {
          name: `${goal}: ${key}`,
          expected: value,
          came: heldAt(run, Number(at), (job) => job.startsWith(`${user}-`)),
        },
      ];
    });
  });
}

/** `queue B: job b 2 GPUs runtime 60, …, both submitted 1; queue A's 2-GPU job ends at 10` */
function undivided(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const waiting = [...words.matchAll(/queue (\w+): job (\w+) (\d+) GPUs? runtime (\d+)/g)];
  const [, at] = /submitted (\d+)/.exec(words) ?? [];
  const [, first, gpus, end] = /queue (\w+)'s (\d+)-GPU job ends at (\d+)/.exec(words) ?? [];
  const starts = side(one, "expected")["starts"] as Readonly<Record<string, unknown>> | undefined;
  if (waiting.length === 0 || first === undefined || starts === undefined) return [];
  const teams = [first, ...waiting.map(([, id]) => id!)].map((id) => ({ id }));
  const jobs: HandJob[] = waiting.map(([, team, id, size, runtime]) => ({
    id: id!,
    atMin: Number(at),
    gpus: Number(size),
    workMin: Number(runtime),
    more: { team: team! },
  }));
  const running = {
    id: `${first} runs`,
    gpus: Number(gpus),
    workMin: Number(end),
    more: { team: first },
  };
  const run = pool(one, teams, [running, ...jobs], { quota: "borrow" });
  return Object.entries(starts).map(([name, said]) => ({
    name,
    expected: Number(said),
    came: startsOf(run, name)[0] ?? "never",
  }));
}

/** `U runs 16 GPUs for 48 h in the preemptible class; V runs nothing; both then submit in the normal class` */
function charged(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const [, user, gpus, hours] =
    /(\w+) runs (\d+) GPUs for (\d+) h in the preemptible class/.exec(words) ?? [];
  const [, other] = /(\w+) runs nothing/.exec(words) ?? [];
  if (user === undefined || other === undefined) return [];
  return (["observed", "expected"] as const).flatMap((name) => {
    const said = side(one, name);
    const factor = Number(/usage factor (\d+(?:\.\d+)?)/.exec(textOf(said["policy"]))?.[1] ?? 1);
    const hoursSaid = said[`${user}_charged_GPU_h`];
    const statements: Statement[] = [];
    if (typeof hoursSaid === "number")
      statements.push({
        name: `${user}_charged_GPU_h`,
        expected: hoursSaid,
        came: Number(gpus) * Number(hours) * factor,
      });
    const order = textOf(said["order"]);
    const expected = /tie|arrival/.test(order) ? user : /^(\w+) first/.exec(order)?.[1];
    if (expected !== undefined)
      statements.push({
        name: `${name}: order`,
        expected,
        came: firstOf(one, user, other, Number(gpus), Number(hours) * 60, factor),
      });
    return statements;
  });
}

/** Who starts first when both submit a job as large as the pool, the one who ran before first, behind a job that is everybody's. */
function firstOf(
  one: FieldCase,
  user: string,
  other: string,
  gpus: number,
  minutes: number,
  usageFactor: number,
): string {
  const tiers = [
    { id: "normal", name: "Normal", letter: "N" },
    { id: "nice", name: "Preemptible", letter: "P", usageFactor },
  ];
  const job = (id: string, who: string, atMin: number, workMin: number, tier: string) =>
    jobOf({ id, atMin, gpus, workMin, more: { user: who, tier } });
  const { pool: size = gpus } = one.scenario.cluster;
  const run = runDocument({
    cluster: {
      nodeGroups: [{ id: "pool", count: 1, gpus: typeof size === "number" ? size : size.gpus }],
      flat: true,
    },
    tiers,
    pools: labOf({ order: "leastUsage", shareOf: "user", halfLifeMs: 7 * 24 * 60 * MINUTE_MS }),
    workload: {
      jobs: [
        job("nice", user, 0, minutes, "nice"),
        job(user, user, minutes - 2, 1, "normal"),
        job(other, other, minutes - 1, 1, "normal"),
      ],
    },
  });
  return (startsOf(run, user)[0] ?? LONG_MIN) < (startsOf(run, other)[0] ?? LONG_MIN)
    ? user
    : other;
}
