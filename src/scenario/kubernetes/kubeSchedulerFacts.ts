/** What the preset kube-scheduler models, word for word as in `docs/policies/kube-scheduler.md`. */
import type { PresetFacts } from "./presetFacts.ts";

export const KUBE_SCHEDULER_FACTS: PresetFacts = {
  version: "Kubernetes 1.34",
  modelled: [
    "One pod at a time",
    "Back-off",
    "No gangs",
    "Which node",
    "Preemption",
    "After the decision",
    "Parts of GPUs",
    "Time that decisions take",
    "Programs beside it",
  ],
  approximated: [
    "Pods of one component stand in line as one; in a real cluster its controller makes them one after the other, so that pods of jobs that come at the same instant mix.",
    "Pods of one shape and priority that failed as often within an eighth of their back-off are tried together; where the first finds nothing the cycles of all are charged at once.",
    "Parked pods are woken by what leaves a node or changes on one; the flush of pods that have been parked for five minutes changes nothing and is left out.",
    "Where upstream throws dice (equal scores, the node at which the search for victims begins) a hash of the seed and the pod decides.",
    "An evicted pod works until its grace is over where other pods of its job stay; a job of which no pod stays stops at once and holds its devices for the grace.",
    "The new pod in place of an evicted one is made when that one is gone.",
    "A share stands for a replica of a time-sliced or MPS device, a MIG slice for the resource of its profile (strategy mixed; with single, write the instances of a node as its devices); slices are cut as they are needed, where a cluster has a layout set beforehand. Pods that ask for either evict nobody.",
    "A pod that can never run waits for ever: nobody refuses it.",
    "The calls that evict pods take no time and none of the client's rate: the grace begins with the decision.",
    "A change of policy during a grace period forgets single pods that were told to leave.",
  ],
  notModelled: [
    "Affinity, taints and topology spread beyond labels, models and nodes of one's own",
    "NodeResourcesBalancedAllocation and image locality in the score",
    "scheduling gates and the PodGroup API (alpha)",
    "eviction by the kubelet for memory",
    "draining through the eviction API",
    "unhealthyPodEvictionPolicy of a budget",
    "several replicas of a shared device for one pod",
    "several profiles and extenders",
    "dynamic resource allocation",
    "volumes",
  ],
  sources: [
    {
      name: "Pod Priority and Preemption",
      link: "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
    },
    {
      name: "Resource Bin Packing",
      link: "https://kubernetes.io/docs/concepts/scheduling-eviction/resource-bin-packing/",
    },
    {
      name: "Scheduler Configuration",
      link: "https://kubernetes.io/docs/reference/scheduling/config/",
    },
    {
      name: "kube-scheduler Configuration (v1)",
      link: "https://kubernetes.io/docs/reference/config-api/kube-scheduler-config.v1/",
    },
    {
      name: "pkg/scheduler",
      link: "https://github.com/kubernetes/kubernetes/tree/master/pkg/scheduler",
    },
  ],
};
