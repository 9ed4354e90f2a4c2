/** The parts of the document that are Slurm's: the texts of a policy, and what a job asks for. */
import * as z from "zod/mini";
import { LIMITS } from "../model/limits.ts";
import { count, durationMs, name, timeMs } from "./schemaParts.ts";

const configText = z.string().check(z.maxLength(LIMITS.configBytes));

/** Slurm's own configuration as text: what its files say is what holds (`scenario/slurm/`). */
export const slurmFiles = z.strictObject({
  conf: z._default(configText, ""),
  gres: z._default(configText, ""),
  topology: z._default(configText, ""),
  /** `sacctmgr` commands or a `sacctmgr dump`. */
  accounting: z._default(configText, ""),
});

/** Options of `sbatch` that have no general word; the fields mirror `model/slurm/request.ts`, where each is explained. */
export const slurmJob = z.strictObject({
  partitions: z.optional(z.array(name).check(z.maxLength(64))),
  minNodes: z.optional(count(1, LIMITS.nodes)),
  maxNodes: z.optional(count(1, LIMITS.nodes)),
  ntasks: z.optional(count(1, LIMITS.membersPerJob)),
  ntasksPerNode: z.optional(count(1, LIMITS.membersPerJob)),
  cpusPerTask: z.optional(count(1, 65_535)),
  gpus: z.optional(count(1, LIMITS.membersPerJob)),
  gpusPerNode: z.optional(count(1, LIMITS.devicesPerNode)),
  gpusPerTask: z.optional(count(1, LIMITS.devicesPerNode)),
  gpuType: z.optional(name),
  shardsPerNode: z.optional(count(1, LIMITS.devicesPerNode)),
  memPerNodeMiB: z.optional(count(1, 1_000_000_000)),
  memPerCpuMiB: z.optional(count(1, 1_000_000_000)),
  memPerGpuMiB: z.optional(count(1, 1_000_000_000)),
  constraint: z.optional(name),
  /** Host lists. */
  nodelist: z.optional(z.string().check(z.maxLength(20_000))),
  exclude: z.optional(z.string().check(z.maxLength(20_000))),
  exclusive: z.optional(z.enum(["node", "user"])),
  oversubscribe: z.optional(z.boolean()),
  contiguous: z.optional(z.boolean()),
  timeMinMs: z.optional(durationMs),
  nice: z.optional(z.int().check(z.gte(-2_147_483_645), z.lte(2_147_483_645))),
  priority: z.optional(count(0, 4_294_967_293)),
  hold: z.optional(z.boolean()),
  requeue: z.optional(z.boolean()),
  reservation: z.optional(name),
  switches: z.optional(
    z.strictObject({ count: count(1, LIMITS.nodes), waitMs: z.optional(timeMs) }),
  ),
  signal: z.optional(z.strictObject({ beforeMs: timeMs, saveMs: z._default(timeMs, 0) })),
  termMs: z.optional(timeMs),
  startupMs: z.optional(timeMs),
  /** Jobs with the same name are the components of one heterogeneous job. */
  het: z.optional(name),
});

/** What `scontrol update jobid=…` may change of these while a job waits; sizes stay. */
export const slurmChange = z.strictObject({
  partitions: z.optional(z.array(name).check(z.minLength(1), z.maxLength(64))),
  constraint: slurmJob.shape.constraint,
  nodelist: slurmJob.shape.nodelist,
  exclude: slurmJob.shape.exclude,
  exclusive: slurmJob.shape.exclusive,
  contiguous: slurmJob.shape.contiguous,
  timeMinMs: slurmJob.shape.timeMinMs,
  requeue: slurmJob.shape.requeue,
  reservation: slurmJob.shape.reservation,
  switches: slurmJob.shape.switches,
  /** Tasks of an array that may run at once. */
  atOnce: z.optional(count(1, LIMITS.membersPerJob)),
});
