/**
 * The changes made to this run, numbered as the flags on the axis. Each can be removed: the run is replayed without it. The
 * list is the document's own, so it is in the link.
 */
import { SlidersHorizontal, SquarePlus, type Undo2, Wrench } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { numberText } from "../../../base/format.ts";
import { commandOf, run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { Button } from "../../../ui/Button.tsx";
import { Later, LaterPart } from "../../../ui/Later.tsx";

const ROWS_A_PAGE = 100;

// Their words are those of the forms: every setting of every policy.
const changeRows = new LaterPart(async () => (await import("./ChangeRows.tsx")).ChangeRows);

/** Fetches the rows before there is a run, so that they come with it. */
export function useChangeRows(): void {
  useEffect(() => changeRows.fetch(), []);
}

export function ChangesList() {
  const scenario = useApp((state) => state.scenario);
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
        <Suspense>
          <Later part={changeRows} with={{ scenario, first }} />
        </Suspense>
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
