/** Slurm as one file beside the worker. */
import { addScheduler } from "../schedulers/registry.ts";
import { slurm } from "../schedulers/slurm/slurm.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";
import { readSlurmPolicy } from "../workload/slurmPolicy.ts";

export function addSlurm(): void {
  addScheduler("slurm", slurm);
  addPolicyReader("slurm", readSlurmPolicy);
}
