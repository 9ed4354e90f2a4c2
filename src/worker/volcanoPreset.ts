/** Volcano as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { volcano } from "../schedulers/volcano/volcano.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";

/** Makes the preset known to the engine of this worker. */
export function addVolcano(): void {
  addScheduler("volcano", withControllers(volcano));
  addPolicyReader("volcano", readKubernetesPolicy);
}
