/** What the preset ray models, word for word as in `docs/policies/ray.md`. */
import type { PresetFacts } from "./presetFacts.ts";

export const RAY_FACTS: PresetFacts = {
  version: "Ray’s and KubeRay’s main of August 2026",
  modelled: [
    "Default policy",
    "Placement groups",
    "Retries",
    "Autoscaler",
    "What Ray does not have",
    "Kueue above KubeRay",
  ],
  approximated: [
    "All raylets see the same present: room that others took is known at once, room that came back after the broadcast delay. Upstream a wrong guess costs another hop.",
    "Calls that wait stand in one line for each scheduling class in the whole cluster, in order of submission; upstream each stands in the line of the node that it was sent to. Of several classes the one whose first call is oldest comes first; upstream their order is that of a hash table.",
    "Fair dispatch counts over the whole cluster, upstream over the calls queued at one node.",
    "A scheduling class is what calls ask for and their tenant, for functions have no names here.",
    "Nodes with equal scores go in their order in the cluster; upstream by a random id.",
    "Pending groups are tried together at one clock, once an interval; upstream each has a back-off of its own from 0.1 to 1 s. Groups that come at the same time as calls go first.",
    "Every call starts a worker of its own; upstream idle workers are used again, and prestarted ones spare the first calls the start.",
    "A job has failed where a node that it held is down when it waits again; one that only lost a device, or that a user put back into the queue, has used no retry.",
    "The autoscaler puts what waits on the first workers that hold it; upstream on those that it uses best.",
    "A worker takes a whole node, or the part of it that its group says; the head and its pod take none.",
    "The replicas of a service are actors; what makes and takes them is the autoscaler of the service, as under every preset, where Ray Serve's own goes by the requests that each replica works on.",
  ],
  notModelled: [
    "Objects: lineage reconstruction, locality of arguments, the object store and its memory",
    "Custom resources, accelerator types, fallbacks of label selectors",
    "Nested calls and the cap on workers of one function",
    "numOfHosts, suspend and upgrade of RayCluster; RayService; requests inside Ray Serve",
    "MIG profiles: Ray has no name for them, such calls wait for ever",
    "Nodes that a job wants for itself, and members that want to be under one leaf",
    "request_resources, and the order in which workers beyond a lowered maximum are stopped",
    "Rented nodes that the cloud takes back",
    "Elastic slices: scaling of a RayCluster below Kueue",
  ],
  sources: [
    { name: "Ray: scheduling", link: "https://docs.ray.io/en/latest/ray-core/scheduling/" },
    {
      name: "src/ray/raylet/scheduling",
      link: "https://github.com/ray-project/ray/tree/master/src/ray/raylet/scheduling",
    },
    { name: "KubeRay", link: "https://docs.ray.io/en/latest/cluster/kubernetes/" },
  ],
};
