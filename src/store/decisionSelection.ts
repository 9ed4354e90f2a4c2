/** What is selected with a decision: the job, node or device that it is about, and the decision itself. */
import { subjectOf } from "../timeline/decisionIndex.ts";
import type { LogEntry } from "../timeline/decisionWords.ts";
import type { Selection } from "./state.ts";

export function selectionOf({ kind, jobIdx }: LogEntry, decision: number): Selection {
  switch (subjectOf(kind)) {
    case "job":
      return { kind: "job", jobIdx, decision };
    case "node":
      return { kind: "node", node: jobIdx, decision };
    case "device":
      return { kind: "gpu", device: jobIdx, decision };
    case "nothing":
      return { kind: "decision", decision };
  }
}
