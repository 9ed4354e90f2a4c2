/** Slurm as one file beside the worker. */
import { addScheduler } from "../schedulers/registry.ts";
import { slurm } from "../schedulers/slurm/slurm.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";
import { readSlurmPolicy } from "../workload/slurmPolicy.ts";

/** Makes the preset known to the engine of this worker. */
export function addSlurm(): void {
  addScheduler("slurm", slurm);
  addPolicyReader("slurm", readSlurmPolicy);
}
