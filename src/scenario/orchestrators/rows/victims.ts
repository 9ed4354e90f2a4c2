/** What is taken when more important work has no room: single pods of a job, or the job. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { CLUSTER, oneQueue, pods, preset, SLURM_PREEMPT, slurm, slurmQos } from "../policies.ts";

export const victims: Row = {
  id: "preemption",
  title: "Unit of preemption",
  question: "Urgent work needs two of eight GPUs that one job holds: what does that job lose?",
  openAt: { cursorMs: 14 * MINUTE_MS, select: "elastic" },
  world: {
    cluster: CLUSTER,
    workload: {
      jobs: [
        pods("elastic", 0, 8, 1, 40, {
          tier: "low",
          limitMs: 120 * MINUTE_MS,
          components: [{ members: 8, gpusPerMember: 1, minMembers: 4 }],
          kubernetes: { minMember: 4 },
        }),
        pods("urgent", 10, 2, 1, 20, { tier: "critical" }),
      ],
    },
  },
  outcomes: {
    pods: {
      word: "Two pods",
      look: "elastic, which can do with four of its eight pods, gives two at 0:10 and keeps six GPUs.",
    },
    job: {
      word: "The whole job",
      look: "all eight pods of elastic stop at 0:10 although two would do; six GPUs are idle or it starts anew.",
    },
    nothing: {
      word: "Nothing",
      look: "urgent waits until elastic has ended at 0:40.",
    },
  },
  cells: {
    easy: {
      outcome: "job",
      how: "Requeue of whole jobs; a setting takes whole nodes or single devices.",
      policy: preset("lab", { order: "tiers", backfill: "easy", preemption: "requeue" }),
      configured: true,
    },
    slurm: {
      outcome: "job",
      how: "PreemptType=preempt/qos; an allocation is given back whole.",
      policy: slurm([...SLURM_PREEMPT, "PreemptMode=REQUEUE"], slurmQos()),
      configured: true,
    },
    "kube-scheduler": {
      outcome: "pods",
      how: "Single pods of lower priority on one node, whatever job they belong to.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "job",
      how: "withinClusterQueue: LowerPriority suspends whole workloads.",
      policy: oneQueue({ preemption: ["withinClusterQueue: LowerPriority"] }),
      configured: true,
    },
    volcano: {
      outcome: "pods",
      how: "Action preempt: pods above minMember; a gang at its least is spared.",
      policy: preset("volcano", { preempt: true, overcommitFactor: 0 }),
      configured: true,
    },
    kai: {
      outcome: "pods",
      how: "Pods above minMember first, then the whole gang.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "nothing",
      how: "Tasks, actors and placement groups are never stopped for others.",
      policy: preset("ray"),
    },
  },
  claims: [
    {
      claim: "Kueue preempts out of the box.",
      truth:
        "withinClusterQueue, reclaimWithinCohort and borrowWithinCohort are all Never until somebody sets them.",
      column: "kueue",
      cell: { outcome: "nothing", how: "The defaults.", policy: oneQueue() },
      source: {
        name: "Kueue: preemption",
        link: "https://kueue.sigs.k8s.io/docs/concepts/preemption/",
      },
    },
    {
      claim: "Volcano preempts and reclaims by default.",
      truth:
        "The built-in list of actions is enqueue, allocate, backfill; preempt and reclaim have to be added.",
      column: "volcano",
      cell: { outcome: "nothing", how: "The built-in list of actions.", policy: preset("volcano") },
      source: { name: "Volcano: actions", link: "https://volcano.sh/en/docs/actions/" },
    },
    {
      claim: "Ray makes room for more important work.",
      truth:
        "Neither tasks nor actors nor placement groups give way to others. First come, first served.",
      column: "ray",
      source: {
        name: "Ray: placement groups",
        link: "https://docs.ray.io/en/latest/ray-core/scheduling/placement-group.html",
      },
    },
  ],
};
