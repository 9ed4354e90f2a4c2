/**
 * The form of a YAML text; while the text is no YAML it stays at what it said last. A short text is read here with each key, a longer one in the worker
 * (`useYamlRead.ts`). The code that reads and edits YAML comes in a chunk of its own.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import type { FormHead, FormObject } from "../../../../scenario/kubernetes/form/formSpec.ts";
import { FORM_MOST, type YamlReading } from "./useYamlRead.ts";

/** Read within a few milliseconds. */
const SHORT = 8_000;

interface FormCode {
  readonly readForm: typeof import("../../../../scenario/kubernetes/form/readForm.ts").readForm;
  readonly edit: typeof import("../../../../scenario/kubernetes/form/editForm.ts");
  readonly objects: typeof import("../../../../scenario/kubernetes/form/newObjects.ts");
}

let known: FormCode | null = null;

async function fetchCode(): Promise<FormCode> {
  const [{ readForm }, edit, objects] = await Promise.all([
    import("../../../../scenario/kubernetes/form/readForm.ts"),
    import("../../../../scenario/kubernetes/form/editForm.ts"),
    import("../../../../scenario/kubernetes/form/newObjects.ts"),
  ]);
  known = { readForm, edit, objects };
  return known;
}

export interface YamlForm {
  /** Null until its code is here. */
  readonly code: FormCode | null;
  readonly objects: readonly FormObject[];
  /** What they are, also where the text is too long for more. */
  readonly heads: readonly FormHead[];
  /** The text is no YAML, and the form is that of an earlier one. */
  readonly isBehind: boolean;
  /** The text has not been read yet: objects are not added or taken away meanwhile. */
  readonly isReading: boolean;
  readonly isTooLong: boolean;
}

const NONE: readonly FormObject[] = [];

export function useYamlForm(text: string, reading: YamlReading): YamlForm {
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
  const isTooLong = text.length > FORM_MOST;
  const isShort = text.length <= SHORT;
  const here = useMemo(
    () => (code === null || !isShort ? null : code.readForm(text)),
    [code, text, isShort],
  );
  const isReading = !isShort && !isTooLong && reading.isBehind;
  const read = isShort ? here : isReading || isTooLong ? null : reading.objects;
  const last = useRef(NONE);
  if (read !== null) last.current = read;
  return {
    code,
    objects: last.current,
    heads: isTooLong ? reading.heads : last.current,
    isBehind: code !== null && !isTooLong && !isReading && read === null,
    isReading,
    isTooLong,
  };
}
