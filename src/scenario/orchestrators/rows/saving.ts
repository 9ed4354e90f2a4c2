/** Whether a job that is stopped has time to save what it did. No orchestrator writes checkpoints: they give notice or not, and the job does the rest. */
import { MINUTE_MS, SECOND_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { CLUSTER, oneQueue, pods, preset, SLURM_PREEMPT, slurm, slurmQos } from "../policies.ts";

export const saving: Row = {
  id: "checkpoint",
  title: "Checkpoints",
  question: "Is a job that gives way told in time to save 20 seconds’ worth of state?",
  openAt: { cursorMs: 35 * MINUTE_MS, select: "training" },
  world: {
    cluster: CLUSTER,
    workload: {
      jobs: [
        pods("training", 0, 1, 8, 60, {
          tier: "low",
          limitMs: 300 * MINUTE_MS,
          checkpoint: { every: 12 * MINUTE_MS, onSignal: true, costMs: 20 * SECOND_MS },
        }),
        pods("urgent", 30, 1, 8, 10, { tier: "critical" }),
      ],
    },
  },
  outcomes: {
    saved: {
      mark: "yes",
      word: "Told, and saves",
      look: "training saves when it is told at 0:30 and goes on from there.",
    },
    last: {
      mark: "part",
      word: "Its last own save",
      look: "training begins again from what it had saved by itself: some six minutes are lost.",
    },
    unstopped: {
      mark: "part",
      word: "Never stopped",
      look: "nobody gives way, so nothing is lost: urgent waits until training has ended.",
    },
  },
  cells: {
    easy: {
      outcome: "saved",
      how: "Graceful: told, five minutes, queued again. Plain requeue keeps what was saved before.",
      policy: preset("lab", { order: "tiers", backfill: "easy", preemption: "graceful" }),
      configured: true,
    },
    slurm: {
      outcome: "last",
      how: "GraceTime (0 by default) lets the victim run on; a batch script that traps the signal could save, which this preset does not model.",
      policy: slurm([...SLURM_PREEMPT, "PreemptMode=REQUEUE"], slurmQos(" gracetime=60")),
      configured: true,
    },
    "kube-scheduler": {
      outcome: "saved",
      how: "SIGTERM and terminationGracePeriodSeconds: 30 s unless the pod says more.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "saved",
      how: "Suspending a workload deletes its pods with their grace period.",
      policy: oneQueue({ preemption: ["withinClusterQueue: LowerPriority"] }),
      configured: true,
    },
    volcano: {
      outcome: "saved",
      how: "Evicted pods have their grace period.",
      policy: preset("volcano", { preempt: true, enqueue: false, gangSpares: false }),
      configured: true,
    },
    kai: {
      outcome: "saved",
      how: "Evicted pods have their grace period.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "unstopped",
      how: "Nothing is preempted. A task that fails is tried again from its beginning, an actor only if it says so.",
      policy: preset("ray"),
    },
  },
  claims: [],
};
