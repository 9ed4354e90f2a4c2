/** The jobs that waited most device time for a cause, in view. A click or Enter selects one. */
import { useMemo } from "react";
import { countText, durationText } from "../../base/format.ts";
import { hoursText } from "../../metrics/causeRows.ts";
import type { AccountRange, WaitingJob } from "../../metrics/waitAccount.ts";
import { askedParts } from "../../model/deviceWeight.ts";
import { DEVICE_PARTS, HOUR_MS } from "../../model/units.ts";
import type { Stage } from "../../protocol/messages.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { jobColumns } from "../../store/jobColumns.ts";
import { useJobPick } from "../../store/jobPick.ts";
import type { Future } from "../../store/runData.ts";
import { MOST_JOBS, useLongest } from "../../store/useAccount.ts";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { Message } from "../../ui/Message.tsx";

interface CauseJobsProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly cause: number;
  readonly label: string;
  readonly range: AccountRange;
  readonly onBack: () => void;
}

const MEMORY = columnMemory("cause");

export function CauseJobs({ stage, future, cause, label, range, onBack }: CauseJobsProps) {
  const jobs = useLongest(stage, future, cause, range);
  const pick = useJobPick<WaitingJob>();
  const columns = useMemo(() => columnsOf(stage), [stage]);
  if (jobs === null) return <Message title="Looking for the jobs …" />;
  return (
    <DataGrid
      label={`Jobs that waited: ${label}`}
      columns={columns}
      rows={jobs}
      keyOf={(row) => row.jobIdx}
      isSelected={pick.isSelected}
      onPick={pick.onPick}
      leastCss={560}
      noun="job"
      memory={MEMORY}
      caption={
        <>
          {jobs.length === MOST_JOBS
            ? `the first ${MOST_JOBS} jobs`
            : countText(jobs.length, "job")}
          : {label}
        </>
      }
      end={
        <button type="button" className="link" onClick={onBack}>
          over time
        </button>
      }
    />
  );
}

function columnsOf(stage: Stage): readonly GridColumn<WaitingJob>[] {
  const { tier } = stage.jobs.at;
  const job = jobColumns<WaitingJob>(stage, (row) => tier[row.jobIdx]!);
  const waitedMs = ({ jobIdx, deviceMs }: WaitingJob) =>
    (deviceMs * DEVICE_PARTS) / Math.max(1, askedParts(stage.jobs, jobIdx));
  return [
    { ...job.job, width: "minmax(120px, 1.4fr)" },
    { ...job.tier, width: "90px" },
    { ...job.owner, width: "minmax(96px, 1fr)" },
    job.team,
    job.user,
    { ...job.devices, width: "56px" },
    {
      id: "waited",
      label: "waited so",
      width: "80px",
      right: true,
      kind: "duration",
      value: waitedMs,
      text: (row) => durationText(waitedMs(row)),
    },
    {
      id: "hours",
      label: `${stage.cluster.deviceWord}-h waited`,
      width: "96px",
      right: true,
      value: (row) => row.deviceMs / HOUR_MS,
      text: (row) => hoursText(row.deviceMs),
      sum: (total) => hoursText(total * HOUR_MS),
    },
  ];
}
