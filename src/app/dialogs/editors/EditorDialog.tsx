/** The frame of an editor: its forms at the left, what they mean at the right, the state of the draft and the buttons below. */
import type { ReactNode } from "react";
import { countText } from "../../../base/format.ts";
import { closeDialog } from "../../../store/shellState.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { Part } from "./usePart.ts";
import "./editors.css";

interface EditorDialogProps {
  readonly title: string;
  readonly description: string;
  readonly part: Part;
  readonly meaning: ReactNode;
  readonly children: ReactNode;
}

export function EditorDialog({ title, description, part, meaning, children }: EditorDialogProps) {
  return (
    <Dialog
      title={title}
      description={description}
      open
      size="wide"
      onClose={closeDialog}
      actions={
        <>
          <span className="editor-standing" aria-live="polite">
            {standing(part)}
          </span>
          {part.changed && <Button label="Discard edits" onClick={part.discard} />}
          <Button
            label="Apply from the start"
            look="primary"
            disabledReason={part.why}
            onClick={() => void part.apply()}
          />
        </>
      }
    >
      <div className="editor-parts">
        <section className="editor-form" aria-label="Fields">
          {children}
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys need a place in it. */}
        <section className="editor-meaning" tabIndex={0} aria-label="What it comes to">
          {meaning}
        </section>
      </div>
    </Dialog>
  );
}

function standing({ changed, problems }: Part): string {
  if (!changed) return "Nothing differs yet.";
  const [first] = problems;
  if (!first) return "The whole run will be computed anew.";
  const more =
    problems.length > 1 ? ` (and ${countText(problems.length - 1, "more", "more")})` : "";
  return `${first.place}: ${first.message} ${first.remedy}${more}`;
}
