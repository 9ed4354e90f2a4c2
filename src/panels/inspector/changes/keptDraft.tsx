/**
 * What is typed in an editor outlives it: Cancel, Escape and Back lose nothing, and it is there again when the editor opens on the same document and about the same thing.
 * One draft is kept for each editor. Applying or discarding forgets it.
 */
import { type ReactNode, useRef, useState } from "react";
import { useApp } from "../../../store/store.ts";
import { useEditing } from "./editing.ts";

interface Kept {
  readonly of: unknown;
  readonly about: string;
  readonly value: unknown;
}

const kept = new Map<string, Kept>();

export interface DraftHandle<T> {
  readonly draft: T;
  readonly set: (change: Partial<T>) => void;
  readonly drop: () => void;
  /** Says that the draft is that of an editor which was closed; null where it is not. */
  readonly note: ReactNode;
}

/** `about`: what a new change would be about where something else than the document decides it, such as the selected node. */
export function useKeptDraft<T extends object>(
  editor: string,
  first: () => T,
  about = "",
): DraftHandle<T> {
  const scenario = useApp((state) => state.scenario);
  const editing = useEditing();
  const [subject] = useState(() => (editing ? `change ${editing.index}` : about));
  const [before] = useState(() => {
    const found = kept.get(editor);
    return found?.of === scenario && found?.about === subject ? (found.value as T) : null;
  });
  const [draft, setDraft] = useState<T>(() => before ?? first());
  // Two fields may change before the next picture.
  const latest = useRef(draft);
  const [isBack, setBack] = useState(before !== null);
  const drop = (): void => {
    kept.delete(editor);
    setBack(false);
  };
  return {
    draft,
    set: (change) => {
      latest.current = { ...latest.current, ...change };
      kept.set(editor, { of: scenario, about: subject, value: latest.current });
      setDraft(latest.current);
    },
    drop,
    note: isBack && (
      <p className="part-note">
        What was typed and not applied is back.{" "}
        <button
          type="button"
          className="link"
          onClick={() => {
            drop();
            latest.current = first();
            setDraft(latest.current);
          }}
        >
          Discard it
        </button>
      </p>
    ),
  };
}
