/**
 * A part of the document while it is edited: plain JSON that may be wrong. Put together with the rest it passes the one door a moment after the last key, and what the
 * door refuses stands at its field. Applying is one step for Undo; where the worker refuses the document, what was typed stays. It outlives the dialog: Back and Escape
 * lose nothing, and it is there again when the dialog opens on the same part.
 */
import { useEffect, useMemo, useState } from "react";
import type { JsonObject } from "../../../base/json.ts";
import { sameJson } from "../../../base/json.ts";
import type { Problem } from "../../../base/problem.ts";
import { JOB_KINDS } from "../../../model/jobs.ts";
import { readScenario } from "../../../scenario/read.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { dismissProblems, editDocument } from "../../../store/documents.ts";
import { notify } from "../../../store/notices.ts";
import { closeDialog } from "../../../store/shellState.ts";
import { useApp } from "../../../store/store.ts";
import { beginWork } from "../../../store/underway.ts";
import type { NamesOf } from "../../../ui/fields/fieldSpec.ts";
import type { FormContext } from "../../../ui/fields/SpecFields.tsx";

const REST_MS = 150;

export interface Part {
  readonly value: JsonObject;
  readonly set: (value: JsonObject) => void;
  readonly changed: boolean;
  readonly problems: readonly Problem[];
  /** The document with this part, or with the last one that could be read. */
  readonly read: Scenario;
  /** Why it cannot be applied now; null where it can. */
  readonly why: string | null;
  readonly apply: () => Promise<void>;
  readonly discard: () => void;
  /** Names of the document, and what is wrong below a pointer. */
  readonly context: (pointer: string) => FormContext;
}

/** By key: what was typed and not applied, and the part that it began with. */
const kept = new Map<string, { readonly own: JsonObject; readonly value: JsonObject }>();

/** `key` is a key of the document; `label` names the step for Undo. */
export function usePart(scenario: Scenario, key: "cluster" | "workload", label: string): Part {
  const own = scenario[key] as unknown as JsonObject;
  const [value, setValue] = useState<JsonObject>(() => {
    const found = kept.get(key);
    return found?.own === own ? found.value : own;
  });
  const set = (next: JsonObject): void => {
    kept.set(key, { own, value: next });
    setValue(next);
  };
  const [check, setCheck] = useState<{ problems: readonly Problem[]; read: Scenario }>({
    problems: [],
    read: scenario,
  });
  const changed = useMemo(() => value !== own && !sameJson(value, own), [value, own]);
  useEffect(() => {
    // The page is not at rest while what was typed is not looked at.
    const tell = beginWork();
    const timer = setTimeout(() => {
      const result = readScenario({ ...(scenario as unknown as JsonObject), [key]: value });
      setCheck((before) =>
        result.ok
          ? { problems: [], read: result.value }
          : { problems: result.error, read: before.read },
      );
      // What the picture of it begins has begun by then.
      setTimeout(tell, 0);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      tell();
    };
  }, [scenario, key, value]);
  const { problems, read } = check;
  const apply = async (): Promise<void> => {
    const result = readScenario({ ...(scenario as unknown as JsonObject), [key]: value });
    if (!result.ok) return;
    if (await editDocument(result.value, label)) {
      kept.delete(key);
      closeDialog();
      notify(`${label}, from the start of the run.`, true);
      return;
    }
    const status = useApp.getState().runStatus;
    if (status.phase !== "problems") return;
    setCheck((before) => ({ ...before, problems: status.problems }));
    dismissProblems();
  };
  return {
    value,
    set,
    changed,
    problems,
    read,
    why: changed ? (problems[0]?.message ?? null) : "nothing differs yet",
    apply,
    discard: () => set(own),
    context: (pointer) => contextOf(scenario, value, problems, pointer),
  };
}

function contextOf(
  scenario: Scenario,
  value: JsonObject,
  problems: readonly Problem[],
  pointer: string,
): FormContext {
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  const names = (of: NamesOf | undefined): readonly string[] => {
    switch (of) {
      case "tiers":
      case "teams":
      case "pools":
        return ids(scenario[of]);
      case "queues":
        return scenario.queues;
      case "nodeGroups":
        return ((value.nodeGroups ?? []) as readonly JsonObject[]).map(({ id }) => String(id));
      case "kinds":
        return JOB_KINDS;
      default:
        return [];
    }
  };
  const problemAt = (key: string): string | null => {
    const place = key === "" ? pointer : `${pointer}/${key.replaceAll(".", "/")}`;
    const found = problems.find(
      (problem) => problem.place === place || (key !== "" && problem.place.startsWith(`${place}/`)),
    );
    return found ? `${found.message} ${found.remedy}` : null;
  };
  return { names, problemAt };
}

/** A name that is not taken: the given one, else with the first free number behind it. */
export function freeId(wish: string, taken: readonly string[]): string {
  if (!taken.includes(wish)) return wish;
  const stem = wish.replace(/-\d+$/, "");
  let number = 2;
  while (taken.includes(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}
