/** What the preset kueue models, word for word as in `docs/policies/kueue.md`. */
import type { PresetFacts } from "./presetFacts.ts";

export const KUEUE_FACTS: PresetFacts = {
  version: "Kueue 0.19",
  modelled: [
    "The queue",
    "Cohorts",
    "Preemption",
    "Flavors",
    "Fair sharing",
    "Partial admission",
    "Topology",
    "Use of LocalQueues",
    "Pods that are not ready",
    "Stopped queues",
    "What places below",
  ],
  approximated: [
    "A cycle of admission takes a fixed time, and cycles that only park heads follow each other without a look at what arrives meanwhile; the pause of up to 100 ms after a cycle that admitted nothing is left out.",
    "Places that pods without a topology take on nodes of a flavor with one are not subtracted.",
    "All LocalQueues’ resources weigh the same in admission fair sharing: one CPU, one GiB, one of anything else.",
    "The random part of a requeue delay is left out; a workload that was not ready 100 times is deactivated once nobody runs whose end could help, and any after 1,000 evictions, so that a run ends.",
    "A workload whose pods were preempted by kube-scheduler or lost with a node keeps its quota and gets new pods, with the recovery timeout.",
    "A LocalQueue without namespace stands in every namespace; a job that names no queue goes to the LocalQueue default, or is not Kueue’s.",
    "Jobs that are marked as not preemptible can be evicted: Kueue knows no such mark.",
    "Quota of shares of a GPU counts replicas under nvidia.com/gpu.shared, one a pod.",
    "A flavor that is used and described nowhere is one of any nodes; Kueue leaves its queues inactive.",
    "Cohorts that form a circle are refused; Kueue takes them and admits nothing below.",
    "Above Volcano flavors are quota only: pods are not bound to their nodes or domains, and nothing is cut on admission.",
    "Which queue lends what is borrowed Kueue does not say: it is told in proportion to what each lends and does not use.",
    "A change of objects takes effect at once; quota that is reserved when a queue is put on hold is kept.",
  ],
  notModelled: [
    "AdmissionChecks, MultiKueue, provisioning requests",
    "namespaceSelector, taints and tolerations of flavors",
    "Elastic workloads (slices that replace each other)",
    "ConcurrentAdmission",
    "Several layers of slices, balanced placement, hot swap of failed nodes",
    "maximumExecutionTimeSeconds, reclaimable pods",
    "Resource transformations and exclusions",
  ],
  sources: [
    { name: "Kueue: concepts", link: "https://kueue.sigs.k8s.io/docs/concepts/" },
    {
      name: "pkg/scheduler",
      link: "https://github.com/kubernetes-sigs/kueue/tree/main/pkg/scheduler",
    },
  ],
};
