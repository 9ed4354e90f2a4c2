/** Another time limit for a job, and its way back into the queue, from the cursor on. Under Slurm `scontrol` does both. */
import { useState } from "react";
import { durationText } from "../../../base/format.ts";
import { nameOf } from "../../../model/jobs.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { useCursorMs } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import { DurationField } from "../../../ui/DurationField.tsx";
import { limitAt, submittedLimit } from "../jobWords.ts";

interface JobEditProps {
  readonly stage: Stage;
  readonly jobIdx: number;
  readonly running: boolean;
}

const FIRST_LIMIT_MS = 3_600_000;

export function JobEdit({ stage, jobIdx, running }: JobEditProps) {
  const atMs = useCursorMs();
  const scenario = useApp((state) => state.scenario);
  const [typed, setTyped] = useState<number | null>(null);
  if (!scenario) return null;
  const job = nameOf(stage.jobs.ids, jobIdx);
  const given = limitAt(scenario, job, submittedLimit(stage, jobIdx), atMs);
  const standing = Number.isFinite(given) && given > 0 ? given : null;
  const limitMs = typed ?? standing ?? FIRST_LIMIT_MS;
  const set = () => {
    run("intervene", {
      intervention: { kind: "update", job, limitMs },
      label: `Limit of ${job}: ${durationText(limitMs)}`,
    });
    setTyped(null);
  };
  return (
    <details className="job-edit">
      <summary>Time limit and queue</summary>
      <DurationField
        label="Time limit from the cursor on"
        value={limitMs}
        least={1_000}
        most={LIMITS.horizonMs}
        onChange={setTyped}
        hint={standing === null ? "It has none now." : `Now ${durationText(standing)}.`}
      />
      <div className="job-edit-acts">
        <Button
          label="Set the limit"
          disabledReason={typed === null || typed === standing ? "it is that already" : null}
          onClick={set}
        />
        <Button
          label="Back into the queue"
          disabledReason={running ? null : "it does not run"}
          onClick={() =>
            run("intervene", { intervention: { kind: "requeue", job }, label: `Requeue ${job}` })
          }
        />
      </div>
    </details>
  );
}
