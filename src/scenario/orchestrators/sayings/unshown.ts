/** What is often said and wrong, and no schedule shows: facts about memory, speed and names. Each says why. */
import type { UnshownSaying } from "./saying.ts";

export const UNSHOWN_SAYINGS: readonly UnshownSaying[] = [
  {
    id: "isolation",
    claim: "Fractions of a GPU under KAI are isolated from each other.",
    truth:
      "A fraction is kept in books. By default nothing stops a pod from taking more memory than it asked for; what enforces it (MPS, HAMi) is installed beside it.",
    whyNot:
      "Jobs here take what they ask for, so no run has one that takes more. Who shares a GPU with whom a run does show.",
    source: {
      name: "KAI Scheduler: GPU sharing",
      link: "https://github.com/kai-scheduler/KAI-Scheduler/tree/main/docs/gpu-sharing",
    },
  },
  {
    id: "karbon",
    claim: "Nutanix Karbon is a scheduler.",
    truth:
      "It was the name of a product that creates, upgrades and removes Kubernetes clusters; the stock kube-scheduler places pods there. Its card in the picker of policies says so.",
    whyNot: "There is nothing of its own to run: a cluster that it made behaves as kube-scheduler.",
    source: {
      name: "Nutanix Bible: Nutanix Kubernetes Engine",
      link: "https://www.nutanixbible.com/18a-book-of-cloud-native-services-nutanix-kubernetes-engine.html",
    },
  },
  {
    id: "more-replicas",
    claim: "A pod that asks for more replicas of a time-sliced GPU gets more of it.",
    truth:
      "Replicas are counted, not divided by: a process gets its turns whatever the pod asked for. The device plugin has an option that refuses requests above one.",
    whyNot:
      "It is about speed on one device. Runs here have no loss by sharing, and a pod asks for one replica at most.",
    source: {
      name: "NVIDIA device plugin for Kubernetes",
      link: "https://github.com/NVIDIA/k8s-device-plugin#with-cuda-time-slicing",
    },
  },
];
