/** When a job that is not there yet would start, by a run beside the open one: asked for by a button, so that typing costs nothing. */
import { useEffect, useState } from "react";
import { clockNear, durationText } from "../../../base/format.ts";
import { WAIT_REASONS } from "../../../model/reasons.ts";
import { waitWords } from "../../../model/sentences.ts";
import type { Trial } from "../../../protocol/messages.ts";
import { completeIntervention } from "../../../scenario/completeIntervention.ts";
import { appendIntervention } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { tryDocument } from "../../../store/explain.ts";
import { Button } from "../../../ui/Button.tsx";
import type { InjectInput } from "./injectDraft.ts";

interface WhenStartProps {
  readonly scenario: Scenario;
  readonly intervention: InjectInput;
  /** Something is wrong with the job: there is nothing to try. */
  readonly problem: string | null;
}

type Answer =
  | { readonly kind: "none" | "asking" | "unanswered" }
  | { readonly kind: "known"; readonly trial: Trial };

export function WhenStart({ scenario, intervention, problem }: WhenStartProps) {
  const [answer, setAnswer] = useState<Answer>({ kind: "none" });
  const key = JSON.stringify(intervention);
  // Another job, another question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is about the job that the key spells out.
  useEffect(() => setAnswer({ kind: "none" }), [key, scenario]);
  const ask = () => {
    setAnswer({ kind: "asking" });
    const document = appendIntervention(scenario, completeIntervention(intervention));
    tryDocument(document, intervention.job.id).then(
      (trial) => setAnswer(trial ? { kind: "known", trial } : { kind: "unanswered" }),
      () => setAnswer({ kind: "unanswered" }),
    );
  };
  return (
    <div className="when-start">
      <Button
        label="When would it start?"
        hint="Runs on with this job beside the run that is shown; nothing is changed"
        disabledReason={problem}
        onClick={ask}
      />
      <p role="status">
        {answer.kind === "asking" && <span className="quiet">Running on with it …</span>}
        {answer.kind === "unanswered" &&
          "No answer: the run changed or another question came. Ask again."}
        {answer.kind === "known" && (
          <b>{trialWords(answer.trial, intervention.atMs, scenario.calendarStart)}</b>
        )}
      </p>
    </div>
  );
}

function trialWords(trial: Trial, atMs: number, calendar: string | undefined): string {
  switch (trial.kind) {
    case "starts":
      return trial.startMs <= atMs
        ? "It would start at once."
        : `It would start at ${clockNear(trial.startMs, atMs, calendar)}, after ${durationText(trial.startMs - atMs)}.`;
    case "never":
      return "It would not start before this run ends.";
    case "refused":
      return WAIT_REASONS[trial.reason] === undefined
        ? "It would be refused."
        : `It would be refused: ${waitWords(trial.reason)}.`;
    case "tooLong":
      return `It would not start until ${clockNear(trial.simulatedMs, atMs, calendar)}; what comes then was not tried.`;
    case "problems":
      return trial.problems[0]?.message ?? "This job cannot be tried.";
  }
}
