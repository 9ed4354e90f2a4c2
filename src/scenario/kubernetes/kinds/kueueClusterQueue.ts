/** ClusterQueue (kueue.x-k8s.io): quotas, queueing strategy, preemption, fungibility. `namespaceSelector` and admission checks are not modelled. Source: `apis/kueue/v1beta2`. */
import * as z from "zod/mini";
import { head, ignored, kindReader } from "./kindReader.ts";
import {
  fairSharing,
  groupsOf,
  KUEUE_GROUP,
  resourceGroups,
  stopPolicy,
  weightOf,
} from "./kueueQuota.ts";

const preemption = z.strictObject({
  withinClusterQueue: z._default(
    z.enum(["Never", "LowerPriority", "LowerOrNewerEqualPriority"]),
    "Never",
  ),
  reclaimWithinCohort: z._default(z.enum(["Never", "LowerPriority", "Any"]), "Never"),
  borrowWithinCohort: z.optional(
    z.nullable(
      z.strictObject({
        policy: z._default(z.enum(["Never", "LowerPriority"]), "Never"),
        maxPriorityThreshold: z.optional(z.nullable(z.int())),
      }),
    ),
  ),
});

const SEARCH = ["MayStopSearch", "TryNextFlavor"] as const;
/** The older names of `MayStopSearch`. */
const fungibility = z.strictObject({
  whenCanBorrow: z._default(z.enum([...SEARCH, "Borrow"]), "MayStopSearch"),
  whenCanPreempt: z._default(z.enum([...SEARCH, "Preempt"]), "TryNextFlavor"),
  preference: z._default(
    z.enum(["BorrowingOverPreemption", "PreemptionOverBorrowing"]),
    "BorrowingOverPreemption",
  ),
});

const schema = z.strictObject({
  ...head,
  spec: z.prefault(
    z.strictObject({
      /** `cohort` is the name of the field in v1beta1. */
      cohortName: z.optional(z.nullable(z.string().check(z.maxLength(253)))),
      cohort: z.optional(z.nullable(z.string().check(z.maxLength(253)))),
      queueingStrategy: z._default(z.enum(["BestEffortFIFO", "StrictFIFO"]), "BestEffortFIFO"),
      namespaceSelector: ignored,
      resourceGroups,
      preemption: z.prefault(preemption, {}),
      flavorFungibility: z.prefault(fungibility, {}),
      fairSharing,
      admissionScope: z.optional(
        z.nullable(
          z.strictObject({
            admissionMode: z.enum(["UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"]),
          }),
        ),
      ),
      admissionChecks: ignored,
      admissionChecksStrategy: ignored,
      stopPolicy,
    }),
    {},
  ),
});

export const clusterQueue = kindReader(
  "ClusterQueue",
  KUEUE_GROUP,
  schema,
  ({ metadata, spec }) => {
    const borrow = spec.preemption.borrowWithinCohort;
    const { whenCanBorrow, whenCanPreempt, preference } = spec.flavorFungibility;
    return {
      kind: "ClusterQueue",
      name: metadata.name,
      namespace: "",
      cohort: spec.cohortName || spec.cohort || null,
      strategy: spec.queueingStrategy,
      groups: groupsOf(spec.resourceGroups),
      preemption: {
        withinClusterQueue: spec.preemption.withinClusterQueue,
        reclaimWithinCohort: spec.preemption.reclaimWithinCohort,
        borrowUpTo:
          borrow?.policy === "LowerPriority"
            ? (borrow.maxPriorityThreshold ?? Number.POSITIVE_INFINITY)
            : null,
      },
      fungibility: {
        whenCanBorrow: whenCanBorrow === "TryNextFlavor" ? whenCanBorrow : "MayStopSearch",
        whenCanPreempt: whenCanPreempt === "TryNextFlavor" ? whenCanPreempt : "MayStopSearch",
        preference,
      },
      weight: weightOf(spec.fairSharing),
      sharesByUse: spec.admissionScope?.admissionMode === "UsageBasedAdmissionFairSharing",
      stop: spec.stopPolicy,
    };
  },
);
