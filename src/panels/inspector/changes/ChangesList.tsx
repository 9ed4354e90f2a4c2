/**
 * The changes made to this run, numbered as the flags on the axis. Each can be removed: the run is replayed without it. The
 * list is the document's own, so it is in the link.
 */
import { SlidersHorizontal, SquarePlus, Undo2, Wrench } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useState } from "react";
import { clockNear, clockText, numberText } from "../../../base/format.ts";
import { commandOf, run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import { changeWords } from "./changeWords.ts";

const ROWS_A_PAGE = 100;

export function ChangesList() {
  const scenario = useApp((state) => state.scenario);
  const { stage, current } = useRunData();
  const [shown, setShown] = useState(ROWS_A_PAGE);
  if (!scenario) return null;
  const changes = scenario.interventions;
  // The newest changes are those one works on: they are never behind the button.
  const first = Math.max(0, changes.length - shown);
  return (
    <section className="inspector-part" aria-label="Changes to this run">
      <header className="part-head">
        <h3>Changes to this run</h3>
        {changes.length > 0 && <span className="part-note">in the link; undo replays</span>}
      </header>
      {changes.length === 0 ? (
        <p className="quiet">None yet. A change acts at the cursor; the future is computed anew.</p>
      ) : (
        <ol className="changes" start={first + 1}>
          {changes.slice(first).map((change, row) => {
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
      )}
      {first > 0 && (
        <Button
          label={`Show ${Math.min(first, ROWS_A_PAGE)} of ${numberText(first)} earlier`}
          onClick={() => setShown(shown + ROWS_A_PAGE)}
        />
      )}
      <div className="change-buttons">
        <EditorButton label="Policy" icon={SlidersHorizontal} side="policy" keys="P" />
        <EditorButton label="Inject" icon={SquarePlus} side="inject" keys="J" />
        <EditorButton label="Drain" icon={Wrench} side="drain" keys="X" />
      </div>
      <p className="part-note">
        From the start of the run:{" "}
        <button type="button" className="link" onClick={() => run("openRules")}>
          Rules of the scenario …
        </button>
      </p>
    </section>
  );
}

interface EditorButtonProps {
  readonly label: string;
  readonly icon: typeof Undo2;
  readonly side: "policy" | "inject" | "drain";
  readonly keys: string;
}

function EditorButton({ label, icon, side, keys }: EditorButtonProps) {
  const disabled = commandOf("openSide")?.disabled?.() ?? null;
  return (
    <Button
      label={label}
      icon={icon}
      keys={keys}
      disabledReason={disabled}
      onClick={() => run("openSide", { side })}
    />
  );
}
