/** What the job has cost up to the cursor: waiting by reason, device time held, and what of it was lost or overhead. */
import { useMemo } from "react";
import { askedParts, DeviceWeight } from "../../../model/deviceWeight.ts";
import { DEVICE_PARTS } from "../../../model/units.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { jobCostOf } from "../../../timeline/jobCost.ts";
import type { JobStory } from "../../../timeline/jobStory.ts";
import { waitedByReason } from "../../../timeline/jobVerdicts.ts";
import { lostStretchesOf } from "../../../timeline/lostWork.ts";
import { costLines } from "./costLines.ts";

interface JobCostPartProps {
  readonly stage: Stage;
  readonly story: JobStory;
  readonly atMs: number;
}

export function JobCostPart({ stage, story, atMs }: JobCostPartProps) {
  const { flags, submitMs } = stage.jobs.at;
  const lost = useMemo(() => lostStretchesOf(story, flags), [story, flags]);
  const { jobIdx } = story;
  const weight = useMemo(() => new DeviceWeight(stage.jobs), [stage.jobs]);
  const partOfDevice = (part: number) => weight.of(jobIdx, part) / weight.unit;
  const cost = jobCostOf(story, atMs, submitMs[jobIdx]!, lost, partOfDevice);
  const reasons = waitedByReason(story, atMs);
  const asked = askedParts(stage.jobs, jobIdx) / DEVICE_PARTS;
  const lines = costLines(cost, reasons, stage.cluster.deviceWord, asked);
  return (
    <section className="job-cost" aria-label="What it has cost so far">
      <h3>What it has cost so far</h3>
      <table className="terms cost">
        <tbody>
          {lines.map(({ name, value, part }) => (
            <tr key={`${name} ${part}`} data-part={part}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
