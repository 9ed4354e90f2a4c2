/**
 * Systems whose mean wait is known exactly, run through the whole product: drawn arrivals, the lab's scheduler on a flat machine, the
 * record. M/M/c, M/G/1 and M/D/c against their formulas, several sizes of jobs (multi-server jobs) against the solution of
 * their Markov chain, in order of arrival and with one size first. Mean service of the fastest class is 1,000 s; waits are in this unit. The first tenth of each run is left out.
 */
import { readFileSync } from "node:fs";
import ln from "@stdlib/math-base-special-ln";
import pow from "@stdlib/math-base-special-pow";
import { ScheduleCollector } from "../../src/cli/schedule.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { type Interval, intervalOf } from "../../src/metrics/replications.ts";
import { LIMITS } from "../../src/model/limits.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { type Study, table } from "./study.ts";

const SERVICE_MS = 1_000_000;
const SEEDS = 12;

/** One class of jobs: devices, arrivals a mean service, mean service (in units), variation of service. */
interface JobClass {
  readonly gpus: number;
  readonly rate: number;
  readonly mean: number;
  readonly cv2: number;
}
export interface QueueingSystem {
  readonly name: string;
  readonly servers: number;
  readonly classes: readonly JobClass[];
  readonly order: string;
  readonly exact: number;
  readonly jobs: number;
  /** Whose waits are meant: jobs of so many devices; absent = all. */
  readonly only?: number;
}

interface Golden {
  readonly erlang_MMc: { readonly rows: readonly { c: number; rho: string; Wq: string }[] };
  readonly mg1_pollaczek_khinchine: {
    readonly rows: readonly { rho: string; cv2_service: string; Wq: string }[];
  };
  readonly mdc_exact_vs_allen_cunneen: {
    readonly rows: readonly { c: number; rho: string; Wq_MDc_exact: string }[];
  };
  readonly msj_ctmc: {
    readonly fcfs: readonly {
      case: string;
      servers: number;
      needs: readonly number[];
      mu: readonly number[];
      mix: readonly number[];
      points: readonly { lambda_over_lambda_star: number; lambda: string; E_wait: string }[];
    }[];
    readonly priority: readonly {
      servers: number;
      lambda_small: number;
      lambda_large: number;
      policy: string;
      E_wait_small: string;
      E_wait_large: string;
    }[];
  };
}

/** The systems with their exact mean waits, from the recorded values. */
export function queueingSystems(golden: Golden): QueueingSystem[] {
  const single = (rate: number, cv2: number): JobClass => ({ gpus: 1, rate, mean: 1, cv2 });
  const mmc = golden.erlang_MMc.rows
    .filter(({ c, rho }) => [1, 2, 8, 64].includes(c) && rho === "0.8")
    .map(({ c, rho, Wq }) => system(`M/M/${c}, load ${rho}`, c, [single(c * Number(rho), 1)], Wq));
  const mg1 = golden.mg1_pollaczek_khinchine.rows
    .filter(({ rho, cv2_service }) => rho === "0.6" && ["0", "0.5", "4"].includes(cv2_service))
    .map(({ rho, cv2_service, Wq }) =>
      system(
        `M/G/1, load ${rho}, cv² ${cv2_service}`,
        1,
        [single(Number(rho), Number(cv2_service))],
        Wq,
        // Rare long jobs carry most of a large second moment.
        Number(cv2_service) > 1 ? 600_000 : 60_000,
      ),
    );
  const mdc = golden.mdc_exact_vs_allen_cunneen.rows
    .filter(({ c, rho }) => [2, 8].includes(c) && rho === "0.8")
    .map(({ c, rho, Wq_MDc_exact: exact }) =>
      system(`M/D/${c}, load ${rho}`, c, [single(c * Number(rho), 0)], exact),
    );
  const gangs = golden.msj_ctmc.fcfs.flatMap(({ case: name, servers, needs, mu, mix, points }) =>
    points
      .filter(({ lambda_over_lambda_star: part }) => part === 0.5 || part === 0.8)
      .map(({ lambda_over_lambda_star: part, lambda, E_wait: exact }) =>
        system(
          `${name}, ${part} of its limit`,
          servers,
          needs.map((gpus, i) => ({
            gpus,
            rate: Number(lambda) * mix[i]!,
            mean: 1 / mu[i]!,
            cv2: 1,
          })),
          exact,
          part > 0.5 ? 150_000 : 60_000,
        ),
      ),
  );
  return [...mmc, ...mg1, ...mdc, ...gangs, ...priorities(golden)];
}

/** One class goes first, strictly: small ones never leave a large one room while they come; or all is held for a large one while it waits. */
function priorities({ msj_ctmc: { priority } }: Golden): QueueingSystem[] {
  return priority.flatMap((row) => {
    const { servers, lambda_small: small, lambda_large: large } = row;
    const order = row.policy.startsWith("small") ? "smallest" : "largest";
    const classes = [
      { gpus: 1, rate: small, mean: 1, cv2: 1 },
      { gpus: servers, rate: large, mean: 1, cv2: 1 },
    ];
    return [1, servers].map((only) => ({
      name: `1 and ${servers} of ${servers} at ${small} and ${large}, ${order} first: wait of ${only}`,
      servers,
      classes,
      order,
      exact: Number(only === 1 ? row.E_wait_small : row.E_wait_large),
      jobs: 60_000,
      only,
    }));
  });
}

function system(
  name: string,
  servers: number,
  classes: readonly JobClass[],
  exact: string,
  jobs = 60_000,
): QueueingSystem {
  return { name, servers, classes, order: "fcfs", exact: Number(exact), jobs };
}

/** Log-normal by mean and cv²; exponential where cv² is 1. */
function workOf({ mean, cv2 }: JobClass) {
  const meanMs = mean * SERVICE_MS;
  const range = { leastMs: 1, mostMs: 1_000 * SERVICE_MS };
  if (cv2 === 1)
    return { shape: "exponential" as const, medianMs: Math.round(meanMs * Math.LN2), ...range };
  const sigma = Math.sqrt(ln(1 + cv2));
  return {
    medianMs: Math.round(meanMs / Math.sqrt(1 + cv2)),
    spread: pow(Math.E, sigma),
    ...range,
  };
}

function documentOf(
  { servers, classes, order, jobs }: QueueingSystem,
  seed: number,
): ScenarioInput {
  const total = classes.reduce((sum, { rate }) => sum + rate, 0);
  const untilMs = Math.round((jobs / total) * SERVICE_MS);
  return {
    version: 1,
    seed,
    killAtLimit: false,
    horizonMs: Math.min(4 * untilMs, LIMITS.horizonMs),
    cluster: { flat: true, nodeGroups: [{ id: "m", count: 1, gpus: servers }] },
    pools: [{ id: "all", policy: { settings: { order, backfill: "none" } } }],
    workload: {
      synthetic: classes.map((each, index) => ({
        id: `class-${index}`,
        arrivals: { perHour: (each.rate * 3_600_000) / SERVICE_MS },
        untilMs,
        gpus: [{ value: each.gpus, weight: 1 }],
        work: workOf(each),
      })),
    },
  };
}

/** Mean wait of one run, in units of the mean service. */
export function meanWait(system: QueueingSystem, seed: number): number {
  const scenario = readScenario(documentOf(system, seed));
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
  const schedule = new ScheduleCollector();
  const outcome = simulate(scenario.value, undefined, {
    checks: false,
    onChunk: (chunk) => schedule.add(chunk),
  });
  const rows = schedule.finish(outcome.world, outcome.open, 0);
  const kept = rows
    .slice(Math.floor(rows.length / 10))
    .filter(({ devices }) => devices === (system.only ?? devices));
  const sumMs = kept.reduce((sum, { startMs, submitMs }) => sum + startMs - submitMs, 0);
  return sumMs / kept.length / SERVICE_MS;
}

/** Mean wait under several seeds. */
export function waitInterval(system: QueueingSystem, seeds: number): Interval {
  return intervalOf(Array.from({ length: seeds }, (_, seed) => meanWait(system, seed + 1)));
}

export const queueing: Study = {
  name: "queueing",
  run: (_traces, say) => {
    const path = "test/truth/theory/golden-queueing.json";
    const systems = queueingSystems(JSON.parse(readFileSync(path, "utf8")) as Golden);
    const rows = systems.map((each) => {
      const { mean, halfWidth } = waitInterval(each, SEEDS);
      say(`${each.name}: ${mean}`);
      const inside = Math.abs(mean - each.exact) <= halfWidth;
      const off = `${(((mean - each.exact) / each.exact) * 100).toFixed(1)} %`;
      return [
        each.name,
        each.exact.toFixed(4),
        `${mean.toFixed(4)} ± ${halfWidth.toFixed(4)}`,
        off,
        inside ? "yes" : "no",
      ];
    });
    return table(
      ["system", "exact mean wait", "simulated, 95 %", "off by", "interval holds it"],
      rows,
    );
  },
};
