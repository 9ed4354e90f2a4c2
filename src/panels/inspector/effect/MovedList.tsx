/** The jobs that moved most, with both starts; a click selects one. */
import { clockNear, durationText, MINUS, NBSP } from "../../../base/format.ts";
import type { MovedJob } from "../../../metrics/moved.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { LetterMark } from "../../../ui/LetterMark.tsx";

interface MovedListProps {
  readonly jobs: readonly MovedJob[];
  readonly stage: Stage;
  readonly before: string;
  readonly now: string;
}

export function MovedList({ jobs, stage, before, now }: MovedListProps) {
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const selection = useApp((state) => state.selection);
  if (jobs.length === 0) return null;
  // A date with its year may take two lines, or the change would be out of sight.
  const at = (ms: number, near: number) =>
    Number.isNaN(ms)
      ? "never"
      : clockNear(ms, Number.isNaN(near) ? ms : near, calendar).replaceAll(NBSP, " ");
  return (
    <table className="moved">
      <caption>Moved most</caption>
      <thead>
        <tr>
          <th scope="col">job</th>
          <th scope="col">{before}</th>
          <th scope="col">{now}</th>
          <th scope="col">change</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ jobIdx, beforeMs, nowMs }) => {
          const tier = stage.jobs.at.tier[jobIdx]!;
          const isSelected = selection?.kind === "job" && selection.jobIdx === jobIdx;
          return (
            <tr key={jobIdx} aria-selected={isSelected}>
              <th scope="row">
                <LetterMark
                  letter={stage.tiers[tier]?.letter ?? "?"}
                  tier={tier}
                  tierCount={stage.tiers.length}
                />{" "}
                <button type="button" className="link" onClick={() => run("selectJob", { jobIdx })}>
                  {jobLabel(stage.jobs, jobIdx)}
                </button>
              </th>
              <td className="quiet">{at(beforeMs, nowMs)}</td>
              <td>{at(nowMs, beforeMs)}</td>
              <td>{shiftText(nowMs - beforeMs)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function shiftText(ms: number): string {
  if (Number.isNaN(ms)) return "";
  return (ms < 0 ? MINUS : "+") + durationText(Math.abs(ms));
}
