/** Why a workload waits, as a reason of the record. Said when it changes; a workload behind others of its shape has the reason that it came in with until a cycle looks at it. */
import type { Actions } from "../../../engine/view.ts";
import type { KubeReason } from "../../../model/kubernetes/reasons.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import type { Entry } from "./state.ts";

const OF_OUTCOME: Readonly<Record<Entry["outcome"], KubeReason>> = {
  none: "quotaOrder",
  podsAwaited: "podsAwaited",
  admitted: "admitting",
  waitsForVictims: "quotaVictims",
  noCandidates: "quotaShort",
  noLongerFits: "quotaElsewhere",
  victimsShared: "quotaElsewhere",
  exceedsMaximum: "quotaNever",
  noQueue: "noQueue",
  noFlavor: "noFlavor",
  noTopology: "noDomain",
  deactivated: "deactivated",
  stopped: "queueStopped",
};

/** The word for where a workload stands; null while its pods are placed or end: that is for others to say. */
export function wordOf(entry: Entry): KubeReason | null {
  switch (entry.phase) {
    case "arriving":
      return "unseen";
    case "reserved":
      return "admitting";
    case "backoff":
      return "requeued";
    case "waiting":
    case "aside":
      return OF_OUTCOME[entry.outcome];
    case "admitted":
    case "unmanaged":
    case "leaving":
      return null;
  }
}

export function tellWait(act: Actions, entry: Entry): void {
  const word = wordOf(entry);
  if (word !== null) act.wait(entry.jobIdx, kubeReasonCode(word));
}
