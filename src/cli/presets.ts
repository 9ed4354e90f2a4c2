/** All presets at once: the headless program is one file. */
import { addTraffic } from "../engine/respeed.ts";
import { Traffic } from "../engine/traffic/traffic.ts";
import { kai } from "../schedulers/kai/kai.ts";
import { kueue } from "../schedulers/kubernetes/admission/kueue.ts";
import { kubeScheduler } from "../schedulers/kubernetes/kubeScheduler.ts";
import { addWalk } from "../schedulers/lab/lab.ts";
import { walk } from "../schedulers/lab/walk/walk.ts";
import { ray } from "../schedulers/ray/ray.ts";
import { addScheduler } from "../schedulers/registry.ts";
import { slurm } from "../schedulers/slurm/slurm.ts";
import { volcano } from "../schedulers/volcano/volcano.ts";
import { readKubernetesPolicy } from "../workload/kubernetesPolicy.ts";
import { addPolicyReader } from "../workload/policyReaders.ts";
import { readSlurmPolicy } from "../workload/slurmPolicy.ts";

/** Makes every preset known. */
export function addPresets(): void {
  addWalk(walk);
  addTraffic(Traffic);
  addScheduler("slurm", slurm);
  addPolicyReader("slurm", readSlurmPolicy);
  addScheduler("kube-scheduler", kubeScheduler);
  addPolicyReader("kube-scheduler", readKubernetesPolicy);
  addScheduler("kueue", kueue);
  addPolicyReader("kueue", readKubernetesPolicy);
  addScheduler("volcano", volcano);
  addPolicyReader("volcano", readKubernetesPolicy);
  addScheduler("kai", kai);
  addPolicyReader("kai", readKubernetesPolicy);
  addScheduler("ray", ray);
  addPolicyReader("ray", readKubernetesPolicy);
}
