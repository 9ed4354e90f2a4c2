/** KAI: fair shares of one level of queues, and whether one sibling may take from another. */
import { fairShares, type ShareQueue } from "../../scheduling/kubernetes/kai/fairShare.ts";
import { mayAskFor, mayReclaim, type ShareState } from "../../scheduling/kubernetes/kai/reclaim.ts";
import type { VectorCheck } from "./schedVectors.ts";

interface ShareInput {
  readonly total: number;
  readonly kValue: number;
  readonly queues: readonly (Omit<ShareQueue, "overQuotaWeight" | "usage"> & {
    readonly weight: number;
    readonly usage?: number;
  })[];
}

export const kaiFairShare: VectorCheck = (input) => {
  const { total, kValue, queues } = input as unknown as ShareInput;
  const asked = queues.map(({ weight, usage = 0, ...queue }) => ({
    ...queue,
    overQuotaWeight: weight,
    usage,
  }));
  const { shares, remaining } = fairShares(total, asked, kValue);
  const fairShare = Object.fromEntries(queues.map(({ name }, idx) => [name, shares[idx]!]));
  return { fairShare, remaining };
};

interface Side {
  readonly allocated: number;
  readonly allocatedNonPreemptible?: number;
  readonly deserved: number;
  readonly fairShare: number;
}

interface ReclaimInput {
  readonly reclaimer: Side & { readonly request: number; readonly preemptible: boolean };
  readonly victim: Side;
}

export const kaiReclaimAllowed: VectorCheck = (input) => {
  const { reclaimer, victim } = input as unknown as ReclaimInput;
  const mine = stateOf(reclaimer);
  const request = [reclaimer.request];
  return {
    allowed:
      mayAskFor(mine, request, reclaimer.preemptible) &&
      mayReclaim(mine, stateOf(victim), request, 1),
  };
};

function stateOf({
  allocated,
  allocatedNonPreemptible = 0,
  deserved,
  fairShare,
}: Side): ShareState {
  return {
    allocated: [allocated],
    fixed: [allocatedNonPreemptible],
    deserved: [deserved],
    fairShare: [fairShare],
    limit: [-1],
  };
}
