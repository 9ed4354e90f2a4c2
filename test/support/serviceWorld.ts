/** Worlds with one inference service beside jobs, for tests: what the document would become. */

import { JobFlag } from "../../src/model/jobs.ts";
import { type JobLife, PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { ServiceInfo } from "../../src/model/lab/services.ts";
import type { World } from "../../src/model/world.ts";
import { type JobSpec, type WorldSpec, worldOf } from "./world.ts";

/** Life of a job with nothing but a start-up. */
export function lifeWith(startupMs: number): JobLife {
  return { ...PLAIN_LIFE, startupMs };
}

export interface ServiceSpec {
  readonly min: number;
  readonly max: number;
  readonly gpus?: number;
  readonly coldStartMs?: number;
  readonly tier?: number;
  readonly pool?: number;
  readonly concurrency?: number;
  readonly requestMs?: number;
  readonly cv2?: number;
  readonly targetMs?: number;
  /** Pairs of time (ms) and requests a second. */
  readonly demand: readonly (readonly [number, number])[];
  readonly autoscale?: Partial<ServiceInfo["autoscale"]>;
}

/** The service's replicas are jobs 0 … max − 1, the other jobs follow. */
export function serviceWorld(spec: ServiceSpec, rest: WorldSpec): World {
  const replicas: JobSpec[] = Array.from({ length: spec.max }, (_, replica) => ({
    name: `chat/${replica}`,
    submitMs: 0,
    workMs: 1_000_000_000,
    tier: spec.tier ?? 0,
    pool: spec.pool ?? 0,
    kind: "inference",
    flags: JobFlag.service | (replica < spec.min ? 0 : JobFlag.preemptible),
    components: [{ members: 1, gpus: spec.gpus ?? 1 }],
  }));
  const world = worldOf({ ...rest, jobs: [...replicas, ...rest.jobs] });
  const service: ServiceInfo = {
    id: "chat",
    name: "chat",
    replicas: Int32Array.from(replicas, (_, i) => i),
    minReplicas: spec.min,
    maxReplicas: spec.max,
    gpusPerReplica: spec.gpus ?? 1,
    coldStartMs: spec.coldStartMs ?? 0,
    concurrency: spec.concurrency ?? 1,
    requestMs: spec.requestMs ?? 1_000,
    requestCv2: spec.cv2 ?? 1,
    percentile: 95,
    targetMs: spec.targetMs ?? 10_000,
    demand: {
      atMs: Float64Array.from(spec.demand, ([atMs]) => atMs),
      perSec: Float64Array.from(spec.demand, ([, perSec]) => perSec),
    },
    autoscale: {
      metric: "utilization",
      target: 0.5,
      everyMs: 1_000,
      downDelayMs: 0,
      upDelayMs: 0,
      tolerance: 0,
      ...spec.autoscale,
    },
  };
  const lab = new Map(replicas.map((_, i) => [i, lifeWith(spec.coldStartMs ?? 0)]));
  return { ...world, jobs: { ...world.jobs, lab }, services: [service] };
}
