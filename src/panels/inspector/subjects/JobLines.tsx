/** Some jobs, each with what there is to say of it at the right; a click selects one. */
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { LetterMark } from "../../../ui/LetterMark.tsx";

interface JobLinesProps {
  readonly label: string;
  readonly stage: Stage;
  readonly lines: readonly {
    readonly key: string;
    readonly jobIdx: number;
    readonly text: string;
    readonly title?: string;
  }[];
}

export function JobLines({ label, stage, lines }: JobLinesProps) {
  return (
    <ul className="node-jobs" aria-label={label}>
      {lines.map(({ key, jobIdx, text, title }) => {
        const tier = stage.jobs.at.tier[jobIdx] ?? 0;
        return (
          <li key={key} title={title}>
            <LetterMark
              letter={stage.tiers[tier]?.letter ?? "?"}
              tier={tier}
              tierCount={stage.tiers.length}
            />
            <button type="button" className="link" onClick={() => run("selectJob", { jobIdx })}>
              {jobLabel(stage.jobs, jobIdx)}
            </button>
            <span className="quiet">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
