/** Who may pass the head of the queue, and whether anything is kept for it. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { CLUSTER, EASY, kueue, oneQueue, pods, preset, slurm } from "../policies.ts";

export const passing: Row = {
  id: "backfill",
  title: "Backfill",
  question: "May small jobs pass a large one, and does it still start when it could have?",
  openAt: { cursorMs: 12 * MINUTE_MS, select: "large" },
  world: {
    cluster: CLUSTER,
    workload: {
      jobs: [
        pods("first", 0, 1, 4, 30),
        pods("large", 5, 1, 8, 20),
        pods("short", 8, 1, 4, 20),
        pods("long", 9, 1, 4, 60),
      ],
    },
  },
  outcomes: {
    reserved: {
      mark: "yes",
      word: "Reserved",
      look: "short passes large, long does not: large starts at 0:30, when first has ended.",
    },
    skip: {
      mark: "part",
      word: "Skip ahead, nothing kept",
      look: "short and long both pass large, which could have started at 0:30 and waits until long has ended.",
    },
    none: {
      mark: "no",
      word: "Nobody passes",
      look: "four GPUs are idle for 25 minutes: neither short nor long may pass large.",
    },
  },
  cells: {
    easy: {
      outcome: "reserved",
      how: "EASY keeps the earliest possible start of the head, by time limits.",
      policy: EASY,
    },
    slurm: {
      outcome: "reserved",
      how: "sched/backfill plans every bf_interval seconds, by time limits.",
      policy: slurm(),
    },
    "kube-scheduler": {
      outcome: "skip",
      how: "A pod that fits nowhere is parked and the next one is tried; run times are unknown.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "skip",
      how: "BestEffortFIFO parks a head that does not fit. StrictFIFO lets nobody pass.",
      policy: oneQueue(),
    },
    volcano: {
      outcome: "skip",
      how: "Each session takes whatever group fits; nodes are kept for nobody (the plugin sla, which helps who waits long, is not modelled).",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "skip",
      how: "A gang that does not fit is passed; what it needs is looked for anew in each session.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "skip",
      how: "A request that fits nowhere stays pending and later ones are served.",
      policy: preset("ray"),
    },
  },
  claims: [
    {
      claim: "Kueue backfills by default.",
      truth:
        "Its default strategy lets later work pass a head that does not fit, but knows no run times and keeps nothing for the head: it can starve.",
      column: "kueue",
      source: {
        name: "Kueue: queueing strategy",
        link: "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#queueing-strategy",
      },
    },
    {
      claim: "Kueue’s other strategy, StrictFIFO, is what HPC calls backfill.",
      truth:
        "It is the opposite: nobody passes the head, even where the head cannot use what is idle.",
      column: "kueue",
      cell: {
        outcome: "none",
        how: "StrictFIFO considers nothing behind its head.",
        policy: kueue([{ name: "default", gpus: 8, strategy: "StrictFIFO" }]),
      },
      source: {
        name: "Kueue: queueing strategy",
        link: "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#queueing-strategy",
      },
    },
    {
      claim: "Volcano’s action “backfill” backfills.",
      truth:
        "It places pods that ask for no resources at all; jobs that ask for GPUs never meet it.",
      column: "volcano",
      source: { name: "Volcano: actions", link: "https://volcano.sh/en/docs/actions/" },
    },
  ],
};
