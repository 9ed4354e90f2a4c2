/** Kueue above kube-scheduler as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { kueue } from "../schedulers/kubernetes/admission/kueue.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";

/** Makes the preset known to the engine of this worker. */
export function addKueue(): void {
  addScheduler("kueue", withControllers(kueue, { admits: false }));
  addPolicyReader("kueue", readKubernetesPolicy);
}
