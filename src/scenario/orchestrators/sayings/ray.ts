/** What is often said of Ray, and wrong. */
import type { Source } from "../cell.ts";
import { pods, preset } from "../policies.ts";
import { openAtMin, type Saying } from "./saying.ts";

const SCHEDULING: Source = {
  name: "Ray: scheduling",
  link: "https://docs.ray.io/en/latest/ray-core/scheduling/index.html",
};

/** A task of one GPU that uses half of a node’s CPUs. */
const task = (index: number) =>
  pods(`task-${index}`, index / 60, 1, 1, 30, {
    components: [{ members: 1, gpusPerMember: 1, cpusPerMember: 8 }],
    ray: { kind: "tasks" },
  });

export const RAY_SAYINGS: readonly Saying[] = [
  {
    id: "ray-packs",
    claim: "Ray packs tasks.",
    truth:
      "Only until half of a node’s CPUs or memory is in use; then it prefers others, at random among the best fifth of all nodes. GPUs in use do not count at all.",
    look: "each of the four tasks takes half of the CPUs and one GPU of a node, and each goes to a node of its own: 28 GPUs are free, and whole finds no node until 0:30.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8, cpus: 16 }] },
      workload: {
        jobs: [...[1, 2, 3, 4].map(task), pods("whole", 5, 1, 8, 20, { ray: { kind: "tasks" } })],
      },
    },
    policy: preset("ray"),
    openAt: openAtMin(10, "whole"),
    source: SCHEDULING,
  },
  {
    id: "ray-pack",
    claim: "A placement group with PACK goes to the fullest node that has room.",
    truth:
      "Its first bundle goes to the node with most left over; PACK means that the others try to join it there.",
    look: "group could run beside task and takes the empty node: whole, which needs all of one, waits for its end at 0:35.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8, cpus: 64 }] },
      workload: {
        jobs: [
          pods("task", 0, 1, 1, 90, { ray: { kind: "tasks" } }),
          pods("group", 5, 2, 1, 30, { ray: { kind: "placementGroup", strategy: "PACK" } }),
          pods("whole", 10, 1, 8, 20, { ray: { kind: "tasks" } }),
        ],
      },
    },
    policy: preset("ray"),
    openAt: openAtMin(12, "group"),
    source: {
      name: "Ray: placement groups",
      link: "https://docs.ray.io/en/latest/ray-core/scheduling/placement-group.html",
    },
  },
];
