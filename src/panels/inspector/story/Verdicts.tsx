/**
 * Every decision about the job up to the cursor in words, newest first, with how long each reason and promise held. Long stories are shown a
 * piece at a time; the time of a line takes the cursor there.
 */
import { useState } from "react";
import { clockText, countText, durationText } from "../../../base/format.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { decisionWords, logContext } from "../../../timeline/decisionWords.ts";
import type { JobStory } from "../../../timeline/jobStory.ts";
import { type Verdict, verdictsOf } from "../../../timeline/jobVerdicts.ts";

const PIECE = 60;
const WALL = "(min-width: 2000px)";

interface VerdictsProps {
  readonly stage: Stage;
  readonly story: JobStory;
  readonly atMs: number;
  readonly calendar: string | undefined;
}

export function Verdicts(props: VerdictsProps) {
  const [open, setOpen] = useState(() => matchMedia(WALL).matches);
  const drawer = useApp((state) => state.drawer === "decisions");
  return (
    <details className="log" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Decisions up to the cursor</summary>
      {open && <List {...props} />}
      {open && !drawer && (
        <button
          type="button"
          className="link"
          onClick={() => run("toggleDrawer", { drawer: "decisions" })}
        >
          All decisions of the run
        </button>
      )}
    </details>
  );
}

function List({ stage, story, atMs, calendar }: VerdictsProps) {
  const [shown, setShown] = useState(PIECE);
  const verdicts = verdictsOf(story, atMs).reverse();
  if (verdicts.length === 0) return <p className="quiet">None yet.</p>;
  const context = logContext(stage, calendar);
  const more = verdicts.length - shown;
  return (
    <>
      <ol className="log-list">
        {verdicts.slice(0, shown).map((verdict) => (
          <li key={verdict.place}>
            <button
              type="button"
              className="link log-time"
              title="Go to this time"
              onClick={() => run("seek", { atMs: verdict.atMs })}
            >
              {clockText(verdict.atMs, calendar)}
            </button>
            <span>
              {decisionWords(verdict, context)}
              <span className="quiet">{heldText(verdict)}</span>
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <button type="button" className="link" onClick={() => setShown(shown + PIECE)}>
          {countText(Math.min(PIECE, more), "earlier decision")} of {more}
        </button>
      )}
    </>
  );
}

/** " · for 12 m", " · for 12 m so far" while it holds; nothing for a moment. */
export function heldText({ atMs, untilMs, holds }: Verdict): string {
  if (holds)
    return untilMs > atMs ? ` · for ${durationText(untilMs - atMs)} so far` : " · since now";
  return untilMs > atMs ? ` · for ${durationText(untilMs - atMs)}` : "";
}
