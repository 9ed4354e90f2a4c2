/** The jobs that waited most device time for a cause, in view. A click or Enter selects one. */
import { countText, durationText, numberText } from "../../base/format.ts";
import { hoursText } from "../../metrics/causeRows.ts";
import type { AccountRange, WaitingJob } from "../../metrics/waitAccount.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import type { Future } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { MOST_JOBS, useLongest } from "../../store/useAccount.ts";
import { jobLabel, ownerText } from "../../timeline/jobNames.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { Cell, RowGrid } from "../../ui/RowGrid.tsx";

interface CauseJobsProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly cause: number;
  readonly label: string;
  readonly range: AccountRange;
  readonly onBack: () => void;
}

export function CauseJobs({ stage, future, cause, label, range, onBack }: CauseJobsProps) {
  const jobs = useLongest(stage, future, cause, range);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  if (jobs === null) return <Message title="Looking for the jobs …" />;
  const word = stage.cluster.deviceWord;
  return (
    <>
      <div className="waiting-caption">
        <span>
          {jobs.length === MOST_JOBS
            ? `the first ${MOST_JOBS} jobs`
            : countText(jobs.length, "job")}
          : {label}
        </span>
        <button type="button" className="link" onClick={onBack}>
          over time
        </button>
      </div>
      <RowGrid
        label={`Jobs that waited: ${label}`}
        columns={[
          { id: "job", label: "job", sortable: false },
          { id: "tier", label: "tier", sortable: false },
          { id: "user", label: "team · user", sortable: false },
          { id: "gpus", label: `${word}s`, right: true, sortable: false },
          { id: "waited", label: "waited so", right: true, sortable: false },
          { id: "hours", label: `${word}-h waited`, right: true, sortable: false },
        ]}
        template="minmax(120px, 1.4fr) 90px minmax(96px, 1fr) 56px 80px 96px"
        leastCss={560}
        rowCount={jobs.length}
        keyOf={(row) => jobs[row]!.jobIdx}
        isSelected={(row) => jobs[row]!.jobIdx === selected}
        sort={undefined}
        onSort={() => undefined}
        onPick={(row) => run("selectJob", { jobIdx: jobs[row]!.jobIdx })}
        cells={(row) => <Cells job={jobs[row]!} stage={stage} />}
      />
    </>
  );
}

function Cells({ job, stage }: { readonly job: WaitingJob; readonly stage: Stage }) {
  const { jobs, tiers } = stage;
  const tier = jobs.at.tier[job.jobIdx]!;
  const gpus = jobs.at.gpuTotal[job.jobIdx]!;
  const id = nameOf(jobs.ids, job.jobIdx);
  return (
    <>
      <Cell title={jobLabel(jobs, job.jobIdx)}>
        <b>{id}</b> <span className="quiet">{jobLabel(jobs, job.jobIdx).slice(id.length)}</span>
      </Cell>
      <Cell>
        <LetterMark letter={tiers[tier]?.letter ?? "?"} tier={tier} tierCount={tiers.length} />{" "}
        {tiers[tier]?.name}
      </Cell>
      <Cell look="quiet">{ownerText(stage, job.jobIdx) || "–"}</Cell>
      <Cell look="number">{numberText(gpus)}</Cell>
      <Cell look="number">{durationText(job.deviceMs / Math.max(1, gpus))}</Cell>
      <Cell look="number">{hoursText(job.deviceMs)}</Cell>
    </>
  );
}
