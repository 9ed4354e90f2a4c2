/** Ray as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { ray } from "../schedulers/ray/ray.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";

/** Makes the preset known to the engine of this worker. */
export function addRay(): void {
  addScheduler("ray", withControllers(ray));
  addPolicyReader("ray", readKubernetesPolicy);
}
