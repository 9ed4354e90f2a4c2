/** All presets at once: the headless program is one file. */
import { Application } from "../engine/application/application.ts";
import { addApplication } from "../engine/application/part.ts";
import { checkRun } from "../engine/checks.ts";
import { addTraffic } from "../engine/respeed.ts";
import { addChecks } from "../engine/run.ts";
import { Traffic } from "../engine/traffic/traffic.ts";
import { withControllers } from "../schedulers/controllers/withControllers.ts";
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

/** Makes every preset and part known. */
export function addPresets(): void {
  addWalk(walk);
  addTraffic(Traffic);
  addApplication(Application);
  addChecks(checkRun);
  addScheduler("slurm", withControllers(slurm));
  addPolicyReader("slurm", readSlurmPolicy);
  addScheduler("kube-scheduler", withControllers(kubeScheduler));
  addPolicyReader("kube-scheduler", readKubernetesPolicy);
  addScheduler("kueue", withControllers(kueue, { admits: false }));
  addPolicyReader("kueue", readKubernetesPolicy);
  addScheduler("volcano", withControllers(volcano));
  addPolicyReader("volcano", readKubernetesPolicy);
  addScheduler("kai", withControllers(kai));
  addPolicyReader("kai", readKubernetesPolicy);
  addScheduler("ray", withControllers(ray));
  addPolicyReader("ray", readKubernetesPolicy);
}
