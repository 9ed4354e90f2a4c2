/** Slurm as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { slurm } from "../schedulers/slurm/slurm.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";
import { readSlurmPolicy } from "../workload/slurmPolicy.ts";

/** Makes the preset known to the engine of this worker. */
export function addSlurm(): void {
  addScheduler("slurm", withControllers(slurm));
  addPolicyReader("slurm", readSlurmPolicy);
}
