/** What can be done to a job at the cursor under any policy: another tier, and an end. Under Slurm `scancel` stands among Slurm's commands. */
import { lazy, Suspense } from "react";
import { clockText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";

const JobEdit = lazy(async () => ({ default: (await import("./jobEdit/JobEdit.tsx")).JobEdit }));

interface ActionsProps {
  readonly slurm: boolean;
  readonly stage: Stage;
  readonly jobIdx: number;
  readonly tier: number;
  readonly over: boolean;
  readonly running: boolean;
  readonly label: string;
}

export function JobActions({ stage, jobIdx, tier, over, running, label, slurm }: ActionsProps) {
  const job = nameOf(stage.jobs.ids, jobIdx);
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const move = (tierId: string) => {
    const to = stage.tiers.find((entry) => entry.id === tierId);
    if (!to || stage.tiers[tier]?.id === tierId) return;
    run("intervene", {
      intervention: { kind: "retier", job, tier: tierId },
      label: `Move ${label} to ${to.name}`,
    });
  };
  const cancel = () => {
    const { cursorMs } = useApp.getState();
    run("intervene", {
      intervention: { kind: "cancel", job },
      label: `Cancel ${label} at ${clockText(cursorMs, calendar)}`,
    });
  };
  return (
    <fieldset className="job-actions" aria-label="Change this job at the cursor">
      <span className="part-note">{slurm ? "QOS, from the cursor on" : "From the cursor on"}</span>
      <Select
        label={slurm ? "QOS from the cursor on" : "Tier from the cursor on"}
        bare
        value={stage.tiers[tier]?.id ?? ""}
        options={stage.tiers.map((entry) => ({
          value: entry.id,
          label: entry.name,
          disabled: over,
        }))}
        onChange={move}
      />
      {!slurm && (
        <Button
          label="Cancel job"
          disabledReason={over ? "it has ended by then" : null}
          onClick={cancel}
        />
      )}
      {!slurm && !over && (
        <Suspense>
          <JobEdit stage={stage} jobIdx={jobIdx} running={running} />
        </Suspense>
      )}
    </fieldset>
  );
}
