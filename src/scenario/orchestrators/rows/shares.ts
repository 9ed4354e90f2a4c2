/** Whether who came later gets a share, or waits until those before are through. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { CLUSTER, kueue, pods, preset, slurm } from "../policies.ts";

const of = (team: string, atMin: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    pods(`${team}-${index + 1}`, atMin + index / 60, 1, 1, 20, { team, queue: team, user: team }),
  );

export const shares: Row = {
  id: "fair-share",
  title: "Fair share",
  question:
    "Red has filled the queue. Does blue, who comes a minute later, get half of what is freed?",
  openAt: { cursorMs: 21 * MINUTE_MS, select: "blue-1" },
  world: {
    cluster: CLUSTER,
    teams: [{ id: "red" }, { id: "blue" }],
    queues: ["red", "blue"],
    workload: { jobs: [...of("red", 0, 24), ...of("blue", 1, 8)] },
  },
  outcomes: {
    reclaimed: {
      mark: "yes",
      word: "Taken back at once",
      look: "blue starts within two minutes: what red holds above its share is taken from it.",
    },
    shared: {
      mark: "yes",
      word: "Shared as freed",
      look: "at 0:20, when the first eight have ended, at least four of blue start.",
    },
    arrival: {
      mark: "no",
      word: "By arrival",
      look: "at 0:20 eight more of red start; blue waits until red has been served.",
    },
  },
  cells: {
    easy: {
      outcome: "shared",
      how: "Order by fair share with a half-life; the plain order is by arrival.",
      policy: preset("lab", { order: "fairShare", backfill: "easy" }),
      configured: true,
    },
    slurm: {
      outcome: "shared",
      how: "PriorityWeightFairshare over a tree of accounts, with a half-life.",
      policy: slurm(
        [
          "PriorityType=priority/multifactor",
          "PriorityWeightFairshare=100000",
          "PriorityCalcPeriod=1",
        ],
        "add account red fairshare=1\nadd account blue fairshare=1\nadd user red account=red\nadd user blue account=blue\n",
      ),
      configured: true,
    },
    "kube-scheduler": {
      outcome: "arrival",
      how: "No accounts; ResourceQuota refuses pods and shares nothing.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "shared",
      how: "Quota of its own for each queue; who borrows goes last, and can be told to give back.",
      policy: kueue([
        { name: "red", gpus: 4, cohort: "all" },
        { name: "blue", gpus: 4, cohort: "all" },
      ]),
    },
    volcano: {
      outcome: "shared",
      how: "proportion: by weight among queues that have jobs.",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "reclaimed",
      how: "Quota, then over-quota weight, along the tree; past use on wish.",
      policy: preset("kai"),
    },
    ray: { outcome: "arrival", how: "First come, first served.", policy: preset("ray") },
  },
  claims: [],
};
