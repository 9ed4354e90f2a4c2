/** Form and text side by side, over the page. Both edit the draft of the policy editor, so closing the sheet loses nothing. */
import { Redo2, Undo2 } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog } from "../../../../ui/Dialog.tsx";
import { undoKeys } from "../slurm/SlurmSheet.tsx";
import type { TextEditorHandle } from "../slurm/TextEditor.tsx";
import type { TextHistory } from "../slurm/textHistory.ts";
import { ObjectForm } from "./ObjectForm.tsx";
import type { YamlForm } from "./useYamlForm.ts";
import type { YamlFinding } from "./useYamlRead.ts";
import { YamlText } from "./YamlText.tsx";

/** The end of the editor, which stands at the end of the sheet too. */
export interface YamlSheetFoot {
  readonly apply: string;
  /** Why it cannot be applied. */
  readonly problem: string | null;
  readonly onApply: () => void;
  /** What is worth knowing before it is applied. */
  readonly note: ReactNode;
}

export interface YamlSheetProps {
  readonly preset: string;
  readonly value: string;
  readonly findings: readonly YamlFinding[];
  readonly form: YamlForm;
  readonly history: TextHistory<string>;
  readonly foot: YamlSheetFoot;
  readonly onClose: () => void;
}

export function YamlSheet({
  preset,
  value,
  findings,
  form,
  history,
  foot,
  onClose,
}: YamlSheetProps) {
  const editor = useRef<TextEditorHandle>(null);
  return (
    <Dialog
      title="Objects of the policy"
      description="The form and the text are one: what you change in either stands in both. Closing keeps your edits in the panel."
      open
      size="wide"
      onClose={onClose}
      actions={
        <>
          <span className="slurm-differs" aria-live="polite">
            {foot.problem ?? foot.note}
          </span>
          <Button
            label="Undo in the text"
            icon={Undo2}
            look="icon"
            disabledReason={history.canUndo ? null : "nothing to undo"}
            onClick={history.undo}
          />
          <Button
            label="Redo in the text"
            icon={Redo2}
            look="icon"
            disabledReason={history.canRedo ? null : "nothing to redo"}
            onClick={history.redo}
          />
          <Button label="Back to the panel" onClick={onClose} />
          <Button
            label={foot.apply}
            look="primary"
            disabledReason={foot.problem}
            onClick={foot.onApply}
          />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of undo for everything within */}
      <div className="slurm-sheet" onKeyDown={(event) => undoKeys(event, history)}>
        <div className="slurm-form">
          <ObjectForm
            preset={preset}
            text={value}
            form={form}
            onChange={history.set}
            onLine={(line) => editor.current?.show(line, false)}
          />
        </div>
        <div className="slurm-texts">
          <YamlText editor={editor} value={value} findings={findings} onChange={history.set} />
        </div>
      </div>
    </Dialog>
  );
}
