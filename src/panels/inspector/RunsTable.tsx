/** The runs of one job, with how each ended. */
import { useMemo } from "react";
import { clockText, durationText } from "../../base/format.ts";
import { SLURM_END_STATES } from "../../model/slurm/words.ts";
import { END_STATES } from "../../model/states.ts";
import { stopWords } from "../../model/stopWords.ts";
import { sizeText } from "../../timeline/heldDevices.ts";
import type { JobStory } from "../../timeline/jobStory.ts";
import { type RunSizes, sizesOfRuns } from "../../timeline/runSizes.ts";

interface RunsProps {
  readonly story: JobStory;
  readonly calendar: string | undefined;
  /** End states are said in Slurm's words. */
  readonly slurm: boolean;
  readonly word: string;
}

export function RunsTable({ story, calendar, word, slurm }: RunsProps) {
  const sizes = useMemo(() => sizesOfRuns(story), [story]);
  return (
    <table className="runs">
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">start</th>
          <th scope="col">length</th>
          <th scope="col">{word}s</th>
          <th scope="col">end</th>
        </tr>
      </thead>
      <tbody>
        {story.runs.map((entry, at) => (
          <tr key={`${entry.run} ${entry.startMs}`}>
            <td>{entry.run}</td>
            <td>{clockText(entry.startMs, calendar)}</td>
            <td>
              {Number.isFinite(entry.endMs) ? durationText(entry.endMs - entry.startMs) : "–"}
            </td>
            <td>{devicesText(sizes[at] ?? null, entry.devices)}</td>
            <td title={stopWords(entry.stopReason)}>
              {slurm
                ? SLURM_END_STATES[END_STATES[entry.endState] ?? "completed"]
                : stopWords(entry.stopReason)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Of an elastic run from the fewest to the most. */
function devicesText(sizes: RunSizes | null, most: number): string {
  return sizeText(sizes ?? { least: most, most });
}
