/** Fields of Kueue's kinds. */
import { amount, choice, integer, labels, NAME, namespace, needed, rows, text } from "../fields.ts";
import type { KindForm, RowsForm } from "../formSpec.ts";

const group = "kueue.x-k8s.io";

const weight = (sentence: string) => amount("spec.fairSharing.weight", "Weight", sentence, "1");

const STOP = choice(
  "spec.stopPolicy",
  "Stop",
  ["None", "Hold", "HoldAndDrain"],
  "Hold: nothing more is admitted. HoldAndDrain: what is admitted is evicted too.",
);

const QUOTAS: RowsForm = {
  path: ["spec", "resourceGroups", "*", "flavors", "*", "resources", "*"],
  names: ["flavor", "resource"],
  fields: [
    needed(amount("nominalQuota", "Nominal quota", "Its own.")),
    amount("borrowingLimit", "Borrowing limit", "Beyond its own, of what others lend.", "no limit"),
    amount("lendingLimit", "Lending limit", "Of its own, to others of its cohort.", "all"),
  ],
};

const CLUSTER_QUEUE: KindForm = {
  kind: "ClusterQueue",
  group,
  fields: [
    NAME,
    text("spec.cohortName", "Cohort", "With whom it lends and borrows.", "none"),
    choice(
      "spec.queueingStrategy",
      "Strategy",
      ["BestEffortFIFO", "StrictFIFO"],
      "Whether later workloads pass a head that does not fit.",
    ),
    choice(
      "spec.preemption.withinClusterQueue",
      "Preempts in its own queue",
      ["Never", "LowerPriority", "LowerOrNewerEqualPriority"],
      "Whose workloads of the same queue may be evicted.",
    ),
    choice(
      "spec.preemption.reclaimWithinCohort",
      "Takes back what it lent",
      ["Never", "LowerPriority", "Any"],
      "From queues that borrow, up to its own quota.",
    ),
    choice(
      "spec.preemption.borrowWithinCohort.policy",
      "Preempts while it borrows",
      ["Never", "LowerPriority"],
      "Also beyond its own quota.",
    ),
    integer(
      "spec.preemption.borrowWithinCohort.maxPriorityThreshold",
      "Up to priority",
      "Workloads above it are safe from that.",
      "no threshold",
    ),
    choice(
      "spec.flavorFungibility.whenCanBorrow",
      "Flavor that means borrowing",
      ["MayStopSearch", "TryNextFlavor"],
      "Taken, or the next one tried first.",
    ),
    choice(
      "spec.flavorFungibility.whenCanPreempt",
      "Flavor that means preempting",
      ["TryNextFlavor", "MayStopSearch"],
      "Taken, or the next one tried first.",
    ),
    choice(
      "spec.flavorFungibility.preference",
      "Which of the two first",
      ["BorrowingOverPreemption", "PreemptionOverBorrowing"],
      "Where one flavor means borrowing and another preempting.",
    ),
    weight("Under fair sharing, among queues that borrow."),
    choice(
      "spec.admissionScope.admissionMode",
      "Order of its LocalQueues",
      ["NoAdmissionFairSharing", "UsageBasedAdmissionFairSharing"],
      "Usage-based: who used least goes first.",
    ),
    STOP,
  ],
  rows: [QUOTAS],
};

export const KUEUE_FORMS: readonly KindForm[] = [
  CLUSTER_QUEUE,
  {
    kind: "Cohort",
    group,
    fields: [
      NAME,
      text("spec.parentName", "Parent", "The cohort above.", "none"),
      weight("Under fair sharing, among cohorts that borrow."),
    ],
    rows: [QUOTAS],
  },
  {
    kind: "LocalQueue",
    group,
    fields: [
      NAME,
      namespace("Whose jobs it takes: a team.", "every one"),
      needed(text("spec.clusterQueue", "ClusterQueue", "Where its workloads queue.")),
      weight("Under admission fair sharing."),
      STOP,
    ],
  },
  {
    kind: "ResourceFlavor",
    group,
    fields: [
      NAME,
      labels("spec.nodeLabels", "Node labels", "Of the nodes that it is of.", "every node"),
      text("spec.topologyName", "Topology", "Levels that workloads may ask for.", "none"),
    ],
  },
  {
    kind: "Topology",
    group,
    fields: [NAME],
    rows: [
      rows(
        "spec.levels",
        "level",
        [
          needed(
            text("nodeLabel", "Node label", "Its values are the level’s domains. Widest first."),
          ),
        ],
        // The host may only be the last.
        { value: { nodeLabel: "topology.kubernetes.io/zone" }, unique: "nodeLabel", atFront: true },
      ),
    ],
  },
  {
    kind: "WorkloadPriorityClass",
    group,
    fields: [
      NAME,
      needed(integer("value", "Value", "Larger goes first in Kueue; pods keep their own.")),
    ],
  },
];
