/** What the preset volcano models, word for word as in `docs/policies/volcano.md`. */
import type { PresetFacts } from "./presetFacts.ts";

export const VOLCANO_FACTS: PresetFacts = {
  version: "Volcano main of August 2026",
  modelled: [
    "Gangs",
    "Queues",
    "Actions",
    "Preempt and reclaim",
    "Bin packing",
    "Network topology",
    "Dominant share",
  ],
  approximated: [
    "Of equally good nodes the first is taken; upstream draws one.",
    "A group that falls below its least members is evicted whole and waits again, as with the policy RestartJob.",
    "Room that a single leaving pod gives back is counted in whole devices, where it shared one.",
    "A group's pods count as asked for from the session after it was let in, and they start in the order in which they are bound.",
    "A session takes no time of its own; the next begins a period after it.",
    "Reclaim and preempt serve groups that lack their least members, not those that only want more.",
    "Reclaim takes nothing back for a group that must be near each other. Upstream asks for it as for any other, wherever its nodes are (#4374, open), so that victims leave and come back for ever for a group that cannot start.",
    "The order of plugins in tiers is the built-in one, whatever the text says; only which of them are on counts.",
    "A queue that a job names and nobody describes has weight 1 and no limits; upstream its jobs are not let in.",
  ],
  notModelled: [
    "Plugins other than priority, gang, overcommit, drf, predicates, proportion, capacity, nodeorder, binpack and network-topology-aware",
    "Actions gangpreempt, gangreclaim and shuffle",
    "Preemption between tasks of one job",
    "Hierarchical drf",
    "Cluster Autoscaler beside it: rented nodes never come. By default it would not see groups that the gate keeps out, which have no pods",
    "drf as a voice on who may be evicted: in the built-in tiers priority and gang decide before it is asked",
    "BalancedAllocation, affinity and taints in the score of nodeorder",
    "Devices shared by Volcano's own device plugin",
    "A time after which a group that was let in and finds no node gives back what it was promised: one that fits no node at all holds the gate against others for ever, as upstream (#5006, open)",
  ],
  sources: [
    { name: "Volcano", link: "https://volcano.sh/en/docs/" },
    {
      name: "pkg/scheduler",
      link: "https://github.com/volcano-sh/volcano/tree/master/pkg/scheduler",
    },
  ],
};
