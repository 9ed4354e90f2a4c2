/** The one change that a library scenario proposes, with its time: a marked button beside the sentence of any card, gone once the change is made or another policy is set. */

import { useLayoutEffect, useRef } from "react";
import { clockText } from "../../base/format.ts";
import { acting } from "../../scenario/interventions.ts";
import { isProposable } from "../../scenario/proposal.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { run } from "../../store/commands.ts";
import { entryFacts, libraryBase } from "../../store/linkCode.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";

export function SuggestButton() {
  const baseId = useApp((state) => state.baseId);
  const scenario = useApp((state) => state.scenario);
  const atMs = entryFacts(baseId)?.suggest?.intervention.atMs;
  const suggest = entryFacts(baseId)?.suggest;
  if (
    !suggest ||
    !scenario ||
    atMs === undefined ||
    isMade(scenario, suggest.intervention.kind, atMs) ||
    !isProposable(scenario, suggest, libraryBase(baseId)?.scenario ?? null)
  )
    return null;
  return (
    <p className="suggest">
      <Suggestion
        label={`${suggest.label} at ${clockText(atMs, scenario.calendarStart)}`}
        onClick={() =>
          run("intervene", { intervention: suggest.intervention, atMs, label: suggest.label })
        }
      />
    </p>
  );
}

interface SuggestionProps {
  readonly label: string;
  readonly onClick: () => void;
}

/** It is gone with the change: who pressed it by keyboard goes on from the panel that it stood in. */
function Suggestion({ label, onClick }: SuggestionProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button && button === document.activeElement) focusPanel();
    };
  }, []);
  return <Button ref={ref} label={label} look="primary" onClick={onClick} />;
}

function focusPanel(): void {
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>('[data-panel="inspector"]');
    if (!panel || document.activeElement !== document.body) return;
    panel.tabIndex = -1;
    panel.focus({ preventScroll: true });
  });
}

function isMade(scenario: Scenario, kind: string, atMs: number): boolean {
  return acting(scenario.interventions).some(
    (change) => change.kind === kind && change.atMs === atMs,
  );
}
