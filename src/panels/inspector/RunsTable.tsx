/** The runs of one job, with how each ended. */
import { clockText, durationText } from "../../base/format.ts";
import { SLURM_END_STATES } from "../../model/slurm/words.ts";
import { END_STATES } from "../../model/states.ts";
import { stopWords } from "../../model/stopWords.ts";
import type { JobStory } from "../../timeline/jobStory.ts";

interface RunsProps {
  readonly story: JobStory;
  readonly calendar: string | undefined;
  /** End states are said in Slurm's words. */
  readonly slurm: boolean;
  readonly word: string;
}

export function RunsTable({ story, calendar, word, slurm }: RunsProps) {
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
        {story.runs.map((entry) => (
          <tr key={`${entry.run} ${entry.startMs}`}>
            <td>{entry.run}</td>
            <td>{clockText(entry.startMs, calendar)}</td>
            <td>
              {Number.isFinite(entry.endMs) ? durationText(entry.endMs - entry.startMs) : "–"}
            </td>
            <td>{entry.devices}</td>
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
