/** The form of a YAML text, read with each change of the text; while the text is no YAML it stays at what it said last. The code that reads and edits YAML comes in a chunk of its own. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { FormObject } from "../../../../scenario/kubernetes/form/formSpec.ts";

/** Longer texts are read too slowly for every key: they are edited as text. */
const LENGTH_MOST = 60_000;

interface FormCode {
  readonly readForm: typeof import("../../../../scenario/kubernetes/form/readForm.ts").readForm;
  readonly withValue: typeof import("../../../../scenario/kubernetes/form/editText.ts").withValue;
  readonly objects: typeof import("../../../../scenario/kubernetes/form/newObjects.ts");
}

let known: FormCode | null = null;

async function fetchCode(): Promise<FormCode> {
  const [{ readForm }, { withValue }, objects] = await Promise.all([
    import("../../../../scenario/kubernetes/form/readForm.ts"),
    import("../../../../scenario/kubernetes/form/editText.ts"),
    import("../../../../scenario/kubernetes/form/newObjects.ts"),
  ]);
  known = { readForm, withValue, objects };
  return known;
}

export interface YamlForm {
  /** Null until its code is here. */
  readonly code: FormCode | null;
  readonly objects: readonly FormObject[];
  /** The text is no YAML, and the form is that of an earlier one. */
  readonly isBehind: boolean;
  readonly isTooLong: boolean;
}

const NONE: readonly FormObject[] = [];

export function useYamlForm(text: string): YamlForm {
  const [code, setCode] = useState(known);
  useEffect(() => {
    if (known !== null) return;
    let gone = false;
    fetchCode().then(
      (fetched) => !gone && setCode(fetched),
      // The text remains; the next editor tries again.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  const isTooLong = text.length > LENGTH_MOST;
  const read = useMemo(
    () => (code === null || isTooLong ? null : code.readForm(text)),
    [code, text, isTooLong],
  );
  const last = useRef(NONE);
  if (read !== null) last.current = read;
  return {
    code,
    objects: last.current,
    isBehind: code !== null && !isTooLong && read === null,
    isTooLong,
  };
}
