/**
 * The rows of the list of changes, from `first` on: number, time, words; a switch, its editor, and the way to take it back. In a row Enter edits,
 * Delete removes; a click goes to the time.
 */
import { ClipboardCopy, Pencil, Trash2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { clockNear, clockText } from "../../../base/format.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { run } from "../../../store/commands.ts";
import { useRunData } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import { changeWords } from "./changeWords.ts";

interface RowsProps {
  readonly scenario: Scenario;
  readonly first: number;
}

export function ChangeRows({ scenario, first }: RowsProps) {
  return (
    <ol className="changes" start={first + 1}>
      {scenario.interventions.slice(first).map((change, row) => {
        const index = first + row;
        return (
          <Row key={`${index} ${change.kind}`} scenario={scenario} change={change} index={index} />
        );
      })}
    </ol>
  );
}

interface RowProps {
  readonly scenario: Scenario;
  readonly change: Intervention;
  readonly index: number;
}

function Row({ scenario, change, index }: RowProps) {
  const { stage, current } = useRunData();
  const words = changeWords(scenario, index, stage?.cluster.deviceWord ?? "GPU");
  const late = current.done && change.atMs > current.endMs && !change.off;
  const number = index + 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    event.stopPropagation();
    run("removeIntervention", { index });
  };
  return (
    <li data-off={change.off} onKeyDown={onKeyDown}>
      <button
        type="button"
        className="change-go"
        onClick={() => run("seek", { atMs: change.atMs })}
        onDoubleClick={() => run("editIntervention", { index })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          run("editIntervention", { index });
        }}
        title={`Go to ${clockText(change.atMs, scenario.calendarStart)}. Enter edits, Delete removes the change.`}
      >
        <span className="flag-number">{number}</span>
        <span className="change-time">
          {clockNear(change.atMs, current.endMs, scenario.calendarStart)}
        </span>
        <span className="change-title">
          <span className="change-words">{words.title}</span>
          {change.off && <span className="change-off">off</span>}
        </span>
        <span className="change-detail">
          {words.detail}
          {late && "; after the end of this run: changes nothing"}
        </span>
      </button>
      <span className="change-acts">
        <input
          type="checkbox"
          checked={!change.off}
          aria-label={`Change ${number} is on: ${words.title}`}
          title={
            change.off
              ? "Off: kept, and not done"
              : "On: take the tick away to see the run without it"
          }
          onChange={() => run("switchIntervention", { index })}
        />
        {change.kind === "policy" && change.policy.slurm && (
          <Button
            label={`Copy the lines of slurm.conf that change ${number} touches, as a patch`}
            icon={ClipboardCopy}
            look="icon"
            onClick={() => run("copySlurmPatch", { index })}
          />
        )}
        <Button
          label={`Edit change ${number}: ${words.title}`}
          icon={Pencil}
          look="icon"
          onClick={() => run("editIntervention", { index })}
        />
        <Button
          label={`Remove change ${number}: ${words.title}`}
          icon={Trash2}
          look="icon"
          onClick={() => run("removeIntervention", { index })}
        />
      </span>
    </li>
  );
}
