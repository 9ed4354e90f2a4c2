/**
 * The newest decisions about the selected job, or the run, up to the cursor. On a screen as wide as a wall it stands open; below
 * that it is one click away. Which of the two holds is asked when the card appears, so a choice of the user stays.
 */
import { useState } from "react";
import { clockNear, clockText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { isAboutJob } from "../../record/shapes.ts";
import { run } from "../../store/commands.ts";
import { decisionWords, type LogEntry, logContext } from "../../timeline/decisionWords.ts";

/** So many entries are shown. */
export const LOG_MOST = 12;
const WALL = "(min-width: 2000px)";

interface DecisionLogProps {
  readonly stage: Stage;
  readonly calendar: string | undefined;
  /** Gathers the entries, newest first; not called while the log is folded. */
  readonly entries: () => readonly LogEntry[];
  /** The log is of many jobs: each line names its own. */
  readonly named?: boolean;
}

export function DecisionLog({ stage, calendar, entries, named = false }: DecisionLogProps) {
  const [open, setOpen] = useState(() => matchMedia(WALL).matches);
  return (
    <details className="log" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Decisions up to the cursor</summary>
      {open && <Entries list={entries()} stage={stage} calendar={calendar} named={named} />}
    </details>
  );
}

interface EntriesProps extends Omit<DecisionLogProps, "entries" | "named"> {
  readonly list: readonly LogEntry[];
  readonly named: boolean;
}

function Entries({ list, stage, calendar, named }: EntriesProps) {
  if (list.length === 0) return <p className="quiet">None yet.</p>;
  const context = logContext(stage, calendar);
  // A log of many jobs is for the eye that runs down it: a line each, the day only where it is another than that of the newest.
  const newestMs = list[0]!.atMs;
  return (
    <ol className="log-list" data-named={named ? "" : undefined}>
      {list.map((entry) => (
        <li key={entry.place}>
          <button
            type="button"
            className="link log-time"
            title="Go to this time"
            onClick={() => run("seek", { atMs: entry.atMs })}
          >
            {named ? clockNear(entry.atMs, newestMs, calendar) : clockText(entry.atMs, calendar)}
          </button>
          <span title={named ? decisionWords(entry, context) : undefined}>
            {named && isAboutJob(entry.kind) && (
              <button
                type="button"
                className="link"
                onClick={() => run("selectJob", { jobIdx: entry.jobIdx })}
              >
                {context.jobLabel(entry.jobIdx)}
              </button>
            )}
            {named && isAboutJob(entry.kind) && " · "}
            {decisionWords(entry, context)}
          </span>
        </li>
      ))}
    </ol>
  );
}
