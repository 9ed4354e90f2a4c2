/**
 * Form and text side by side, over the page: a slurm.conf of some hundred lines needs the width. Both edit the draft of the policy
 * editor, so closing the sheet loses nothing; Apply and what will change stand at its end as they do there.
 */

import { Redo2, Undo2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useRef } from "react";
import { countText } from "../../../../base/format.ts";
import type { SlurmFiles } from "../../../../scenario/slurm/report.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog } from "../../../../ui/Dialog.tsx";
import type { Finding } from "./check.ts";
import { SlurmForm } from "./SlurmForm.tsx";
import type { SlurmTextsHandle } from "./SlurmTexts.tsx";
import { SlurmTexts } from "./SlurmTexts.tsx";
import type { TextHistory, UndoSteps } from "./textHistory.ts";

export interface SlurmSheetProps {
  readonly files: SlurmFiles;
  readonly findings: readonly Finding[];
  readonly history: TextHistory<SlurmFiles>;
  /** Settings that differ from what is in force. */
  readonly changes: readonly {
    readonly label: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly apply: string;
  /** Why it cannot be applied. */
  readonly problem: string | null;
  readonly onApply: () => void;
  readonly onClose: () => void;
}

export function SlurmSheet(props: SlurmSheetProps) {
  const { files, findings, history, changes, apply, problem, onApply, onClose } = props;
  const texts = useRef<SlurmTextsHandle>(null);
  return (
    <Dialog
      title="Slurm’s settings"
      description="The form and the texts are one: what you change in either stands in both. Closing keeps your edits in the panel."
      open
      size="wide"
      onClose={onClose}
      actions={
        <>
          <span className="slurm-differs" aria-live="polite">
            {changes.length === 0
              ? "Nothing differs from what is in force."
              : `${countText(changes.length, "change")}: ${changeText(changes)}`}
          </span>
          <Button
            label="Undo in the texts"
            icon={Undo2}
            look="icon"
            disabledReason={history.canUndo ? null : "nothing to undo"}
            onClick={history.undo}
          />
          <Button
            label="Redo in the texts"
            icon={Redo2}
            look="icon"
            disabledReason={history.canRedo ? null : "nothing to redo"}
            onClick={history.redo}
          />
          <Button label="Back to the panel" onClick={onClose} />
          <Button label={apply} look="primary" disabledReason={problem} onClick={onApply} />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of undo for everything within */}
      <div className="slurm-sheet" onKeyDown={(event) => undoKeys(event, history)}>
        <SlurmForm
          files={files}
          onChange={history.set}
          onLine={(file, line) => texts.current?.show(file, line)}
        />
        <SlurmTexts ref={texts} files={files} findings={findings} onChange={history.set} />
      </div>
    </Dialog>
  );
}

/** Ctrl+Z and Ctrl+Shift+Z (Ctrl+Y) within the settings are about the texts, not about the page. */
export function undoKeys(event: KeyboardEvent, history: UndoSteps): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const isRedo = key === "y" || (key === "z" && event.shiftKey);
  if (!isRedo && key !== "z") return;
  if (isRedo ? !history.canRedo : !history.canUndo) return;
  event.preventDefault();
  if (isRedo) history.redo();
  else history.undo();
}

const TOLD = 3;

function changeText(changes: SlurmSheetProps["changes"]): string {
  const told = changes.slice(0, TOLD).map(({ label, from, to }) => `${label} ${from} → ${to}`);
  return told.join(", ") + (changes.length > TOLD ? ", …" : "");
}
