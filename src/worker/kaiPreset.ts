/** KAI as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { kai } from "../schedulers/kai/kai.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";

/** Makes the preset known to the engine of this worker. */
export function addKai(): void {
  addScheduler("kai", withControllers(kai));
  addPolicyReader("kai", readKubernetesPolicy);
}
