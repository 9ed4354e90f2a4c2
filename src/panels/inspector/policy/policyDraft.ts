/** What is edited of a policy. It outlives the editor: closing it loses nothing, and it is there again when the editor opens on the same scenario. */
import { useState } from "react";
import type { PolicyEntry, Scenario } from "../../../scenario/schema.ts";
import type { Editing } from "../changes/editing.ts";

export interface PolicyDraft {
  readonly scenario: Scenario;
  readonly poolId: string;
  readonly from: "cursor" | "start";
  /** null: nothing yet. */
  readonly edited: PolicyEntry | null;
  /** Edits of presets that were left for another: who comes back finds them. */
  readonly left: readonly PolicyEntry[];
}

/** The draft with another preset; `fresh`: what stands there the first time. */
export function withPreset(
  { edited, left }: PolicyDraft,
  preset: string,
  fresh: PolicyEntry,
): Pick<PolicyDraft, "edited" | "left"> {
  const others = left.filter((one) => one.preset !== preset && one.preset !== edited?.preset);
  return {
    edited: left.find((one) => one.preset === preset) ?? fresh,
    left: edited === null ? others : [...others, edited],
  };
}

let kept: PolicyDraft | null = null;

export interface DraftHandle {
  readonly draft: PolicyDraft;
  readonly set: (change: Partial<PolicyDraft>) => void;
  /** Forgets the edits: applied, or thrown away. */
  readonly drop: () => void;
  /** The edits are those of an editor that was closed. */
  readonly isBack: boolean;
}

/** `editing`: the change that the editor is open on; its policy is what is edited, and what was kept of another one is left alone. */
export function usePolicyDraft(scenario: Scenario, editing: Editing | null): DraftHandle {
  const first = scenario.pools[0]?.id ?? "";
  const edits = editing?.change.kind === "policy" ? editing.change : null;
  const fresh: PolicyDraft = {
    scenario,
    poolId: edits?.pool ?? first,
    from: "cursor",
    edited: edits?.policy ?? null,
    left: [],
  };
  const [draft, setDraft] = useState<PolicyDraft>(() =>
    edits === null && kept !== null && kept.scenario === scenario ? kept : fresh,
  );
  const [isBack, setBack] = useState(() => edits === null && draft.edited !== null);
  return {
    draft,
    set: (change) => {
      const next = { ...draft, ...change, scenario };
      if (edits === null) kept = next;
      setDraft(next);
    },
    drop: () => {
      if (edits === null) kept = null;
      setBack(false);
      setDraft(fresh);
    },
    isBack,
  };
}
