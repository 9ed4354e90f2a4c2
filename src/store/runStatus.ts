/** What the page says of the run: written by the worker client only. */
import type { OpenOutcome } from "../protocol/messages.ts";
import type { RunStatus } from "./state.ts";
import { useApp } from "./store.ts";

/** What is said of a document that was not opened. */
export function statusOf(outcome: Exclude<OpenOutcome, { kind: "opened" }>): RunStatus {
  if (outcome.kind === "problems") return { phase: "problems", problems: outcome.problems };
  const { name, sha256, bytes } = outcome;
  return { phase: "traceNeeded", name, sha256, bytes };
}

export function setStatus(runStatus: RunStatus): void {
  useApp.setState({ runStatus });
}
