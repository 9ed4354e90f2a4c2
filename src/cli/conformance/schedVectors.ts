/**
 * Small facts of the form "in this state, the real system would do that" (`sched-vectors/1`): one check a system and question. A check calls
 * what the product runs and returns what it would say in the words of the vector; comparing is the same for all.
 */
import { elasticBatchSize, elasticRestartBudget } from "./elasticVectors.ts";
import { kaiFairShare, kaiReclaimAllowed } from "./kaiVectors.ts";
import { kubeNodeScore, kubePreempt } from "./kubeSchedulerVectors.ts";
import {
  kueuePartialAdmission,
  kueueQueueOrder,
  kueueRequeueBackoff,
  kueueTopology,
  kueueUsageDecay,
} from "./kueueQueueVectors.ts";
import {
  kueueCycle,
  kueueFlavor,
  kueuePreempt,
  kueueShare,
  kueueTournament,
} from "./kueueVectors.ts";
import { migPlacement } from "./migVectors.ts";
import type { CaseOutcome, TruthFile } from "./outcome.ts";
import { rayLaunchLimit, rayNodeChoice, rayPlacementGroup } from "./rayVectors.ts";
import { agrees } from "./vectorCompare.ts";
import {
  volcanoDeserved,
  volcanoGangEvictable,
  volcanoNodeScore,
  volcanoQueueGate,
  volcanoReclaim,
} from "./volcanoVectors.ts";

export interface VectorCase {
  readonly id: string;
  readonly input: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
}

/** What the product says to the input of a case. */
export type VectorCheck = (input: VectorCase["input"]) => Record<string, unknown>;

/** By system and check. */
const CHECKS: Readonly<Record<string, VectorCheck>> = {
  "elastic-training/batch-size": elasticBatchSize,
  "elastic-training/restart-budget": elasticRestartBudget,
  "kai/fair-share": kaiFairShare,
  "kai/reclaim-allowed": kaiReclaimAllowed,
  "kube-scheduler/node-score": kubeNodeScore,
  "kube-scheduler/preempt": kubePreempt,
  "kueue/cycle": kueueCycle,
  "kueue/flavor": kueueFlavor,
  "kueue/partial-admission": kueuePartialAdmission,
  "kueue/preempt": kueuePreempt,
  "kueue/queue-order": kueueQueueOrder,
  "kueue/requeue-backoff": kueueRequeueBackoff,
  "kueue/share": kueueShare,
  "kueue/topology": kueueTopology,
  "kueue/tournament": kueueTournament,
  "kueue/usage-decay": kueueUsageDecay,
  "mig/placement": migPlacement,
  "ray/launch-limit": rayLaunchLimit,
  "ray/node-choice": rayNodeChoice,
  "ray/placement-group": rayPlacementGroup,
  "volcano/deserved": volcanoDeserved,
  "volcano/gang-evictable": volcanoGangEvictable,
  "volcano/node-score": volcanoNodeScore,
  "volcano/queue-gate": volcanoQueueGate,
  "volcano/reclaim": volcanoReclaim,
};

export function* schedVectors(file: TruthFile): Iterable<CaseOutcome> {
  const { system, check, cases } = file.content as {
    readonly system: string;
    readonly check: string;
    readonly cases: readonly VectorCase[];
  };
  const answer = CHECKS[`${system}/${check}`];
  for (const one of cases) {
    if (!answer)
      yield { kind: "skip", id: one.id, why: "the preset of this system is not built yet" };
    else yield judged(one, answer);
  }
}

/** A field that is null says as much as one that is not there. Items of lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const said = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNulls(inner)]));
}

function judged(one: VectorCase, answer: VectorCheck): CaseOutcome {
  try {
    const said = answer(withoutNulls(one.input) as VectorCase["input"]);
    for (const [name, expected] of Object.entries(one.expect)) {
      if (agrees(name, said[name], expected)) continue;
      const [got, wanted] = [JSON.stringify(said[name]), JSON.stringify(expected)];
      return { kind: "fail", id: one.id, message: `${name} is ${got}, expected ${wanted}` };
    }
    return { kind: "pass", id: one.id };
  } catch (error) {
    return { kind: "fail", id: one.id, message: String(error) };
  }
}
