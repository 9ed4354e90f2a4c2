/** kube-scheduler as one file beside the worker. */
import { withControllers } from "../schedulers/controllers/withControllers.ts";
import { kubeScheduler } from "../schedulers/kubernetes/kubeScheduler.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";

/** Makes the preset known to the engine of this worker. */
export function addKubeScheduler(): void {
  addScheduler("kube-scheduler", withControllers(kubeScheduler));
  addPolicyReader("kube-scheduler", readKubernetesPolicy);
}
