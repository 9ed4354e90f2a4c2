/** The rows of the list of changes, from `first` on: number, time, words, and the way to take each back. */
import { Undo2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { clockNear, clockText } from "../../../base/format.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { run } from "../../../store/commands.ts";
import { useRunData } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import { changeWords } from "./changeWords.ts";

interface RowsProps {
  readonly scenario: Scenario;
  readonly first: number;
}

export function ChangeRows({ scenario, first }: RowsProps) {
  const { stage, current } = useRunData();
  return (
    <ol className="changes" start={first + 1}>
      {scenario.interventions.slice(first).map((change, row) => {
        const index = first + row;
        const words = changeWords(scenario, index, stage?.cluster.deviceWord ?? "GPU");
        const late = current.done && change.atMs > current.endMs;
        return (
          <li
            key={`${index} ${change.atMs} ${change.kind}`}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== "Delete" && event.key !== "Backspace") return;
              event.preventDefault();
              event.stopPropagation();
              run("removeIntervention", { index });
            }}
          >
            <button
              type="button"
              className="change-go"
              onClick={() => run("seek", { atMs: change.atMs })}
              title={`Go to ${clockText(change.atMs, scenario.calendarStart)}. Delete removes the change.`}
            >
              <span className="flag-number">{index + 1}</span>
              <span className="change-time">
                {clockNear(change.atMs, current.endMs, scenario.calendarStart)}
              </span>
              <span className="change-title">{words.title}</span>
              <span className="change-detail">
                {words.detail}
                {late && "; after the end of this run: changes nothing"}
              </span>
            </button>
            <Button
              label={`Remove change ${index + 1}: ${words.title}`}
              icon={Undo2}
              look="icon"
              onClick={() => run("removeIntervention", { index })}
            />
          </li>
        );
      })}
    </ol>
  );
}
