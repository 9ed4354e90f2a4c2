/** The one change that a library scenario proposes: a marked button beside the sentence, gone once the change is made. */
import { clockText } from "../../base/format.ts";
import { libraryEntry } from "../../scenario/library/index.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";

export function SuggestButton() {
  const baseId = useApp((state) => state.baseId);
  const scenario = useApp((state) => state.scenario);
  const atMs = baseId === null ? undefined : libraryEntry(baseId)?.suggest?.intervention.atMs;
  const atCursor = useApp((state) => state.cursorMs === atMs);
  const suggest = baseId === null ? undefined : libraryEntry(baseId)?.suggest;
  if (
    !suggest ||
    !scenario ||
    atMs === undefined ||
    isMade(scenario, suggest.intervention.kind, atMs)
  )
    return null;
  const where = atCursor ? "here" : `at ${clockText(atMs, scenario.calendarStart)}`;
  return (
    <p className="suggest">
      <Button
        label={`${suggest.label} ${where}`}
        look="primary"
        onClick={() =>
          run("intervene", { intervention: suggest.intervention, atMs, label: suggest.label })
        }
      />
    </p>
  );
}

function isMade(scenario: Scenario, kind: string, atMs: number): boolean {
  return scenario.interventions.some((change) => change.kind === kind && change.atMs === atMs);
}
