/** The frame of an editor in the column: title, when it acts, body, buttons at the end. Escape goes back to the answers. */
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { run } from "../../store/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { ActsAtField } from "./changes/ActsAtField.tsx";
import { useEditing } from "./changes/editing.ts";

export interface EditorFrameProps {
  readonly title: string;
  /** When the change acts, one line. */
  readonly when: string;
  readonly children: ReactNode;
  readonly apply: string;
  /** Why it cannot be applied; `null` = it can. */
  readonly problem: string | null;
  readonly onApply: () => void;
}

export function EditorFrame(props: EditorFrameProps) {
  const { children, problem, onApply } = props;
  const editing = useEditing();
  const number = editing === null ? 0 : editing.index + 1;
  const title = editing === null ? props.title : `Edit change ${number}`;
  const apply = editing === null ? props.apply : `Replace change ${number}`;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A value that is no value stands in its field alone: nobody may take the former one for it.
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid]");
    if (wrong) wrong.focus();
    else if (problem === null) onApply();
  };
  return (
    <form
      ref={form}
      className="inspector-part editor"
      aria-label={title}
      onSubmit={submit}
      onKeyDown={(event) => {
        // Enter alone opens a list; with Control it applies from any field.
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          form.current?.requestSubmit();
        }
        if (event.key !== "Escape") return;
        event.stopPropagation();
        run("openSide", { side: "inspector" });
      }}
    >
      <header className="part-head">
        <h2>{title}</h2>
        <span className="part-note">{editing === null ? props.when : props.title}</span>
      </header>
      {editing !== null && <ActsAtField editing={editing} />}
      {children}
      <div className="editor-buttons">
        <button
          type="submit"
          className="button button-primary"
          aria-disabled={problem !== null || undefined}
          aria-keyshortcuts="Control+Enter"
          title={problem ?? `${apply} (Ctrl+Enter)`}
        >
          {apply}
        </button>
        <Button label="Cancel" keys="Esc" onClick={() => run("openSide", { side: "inspector" })} />
        {problem !== null && <span className="part-note">{problem}</span>}
      </div>
    </form>
  );
}
