/**
 * One decision of the log: what was decided and when, in the words of the log, and the way to the one before and after it. It stands above the card of
 * what it is about, and alone for a pass or a round.
 */
import { useMemo } from "react";
import { clockText, countText, numberText } from "../../../base/format.ts";
import { run } from "../../../store/commands.ts";
import { selectionOf } from "../../../store/decisionSelection.ts";
import { DecisionPlaces } from "../../../timeline/decisionIndex.ts";
import { decisionWords, logContext } from "../../../timeline/decisionWords.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CardProps } from "../cardParts.tsx";

export function DecisionCard({
  stage,
  future,
  calendar,
  decision,
}: Omit<CardProps, "atMs"> & { readonly decision: number }) {
  const places = useMemo(() => new DecisionPlaces(future.chunks), [future.chunks]);
  const entry = places.entry(decision);
  if (!entry)
    return (
      <article className="inspector-part" aria-label="Decision">
        <p className="quiet">
          {future.done ? "This run has no such decision." : "This decision is not computed yet."}
        </p>
      </article>
    );
  const words = decisionWords(entry, logContext(stage, calendar));
  const go = (number: number): void => {
    const other = places.entry(number);
    if (other) run("selectDecision", { selection: selectionOf(other, number), atMs: other.atMs });
  };
  const together = places.upTo(entry.atMs) - places.upTo(entry.atMs - 1);
  return (
    <article className="inspector-part decision-card" aria-label="Decision">
      <header className="part-head">
        <h2>Decision at {clockText(entry.atMs, calendar)}</h2>
        <span className="part-note">
          {numberText(decision + 1)} of {numberText(places.count)}
        </span>
      </header>
      <p className="why">
        <b>{words}.</b>
        {together > 1 && ` One of ${countText(together, "decision")} at this time.`}
      </p>
      <div className="sr-only" role="status">
        {words}
      </div>
      <fieldset className="job-actions" aria-label="Other decisions">
        <Button
          label="Decision before it"
          disabledReason={decision > 0 ? null : "it is the first"}
          onClick={() => go(decision - 1)}
        >
          ‹ Before
        </Button>
        <Button
          label="Decision after it"
          disabledReason={decision + 1 < places.count ? null : "it is the last"}
          onClick={() => go(decision + 1)}
        >
          After ›
        </Button>
        <Button
          label="Show it in the decision log"
          keys="Y"
          onClick={() => run("toggleDrawer", { drawer: "decisions" })}
        >
          Log
        </Button>
      </fieldset>
    </article>
  );
}
