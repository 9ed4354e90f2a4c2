/** What is edited of a policy. It outlives the editor: closing it loses nothing, and it is there again when the editor opens on the same scenario. */
import { useState } from "react";
import type { PolicyEntry, Scenario } from "../../../scenario/schema.ts";

export interface PolicyDraft {
  readonly scenario: Scenario;
  readonly poolId: string;
  readonly from: "cursor" | "start";
  /** null: nothing yet. */
  readonly edited: PolicyEntry | null;
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

export function usePolicyDraft(scenario: Scenario): DraftHandle {
  const poolId = scenario.pools[0]?.id ?? "";
  const fresh: PolicyDraft = { scenario, poolId, from: "cursor", edited: null };
  const [draft, setDraft] = useState<PolicyDraft>(() =>
    kept !== null && kept.scenario === scenario ? kept : fresh,
  );
  const [isBack, setBack] = useState(() => draft.edited !== null);
  return {
    draft,
    set: (change) => {
      kept = { ...draft, ...change, scenario };
      setDraft(kept);
    },
    drop: () => {
      kept = null;
      setBack(false);
      setDraft(fresh);
    },
    isBack,
  };
}
