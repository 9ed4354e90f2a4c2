/** Gives nodes other labels from the cursor on: jobs that ask for labels go by them from then, and what runs stays where it is. */
import { useMemo } from "react";
import { clockText, countText } from "../../../base/format.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { TextField } from "../../../ui/Field.tsx";
import { applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { changeText } from "../changes/labelWords.ts";
import { EditorFrame } from "../EditorFrame.tsx";
import { hostsError } from "../sbatch/sbatchDraft.ts";
import { commonText, labelChange, labelsBefore, nodesIn } from "./labelDraft.ts";

export function LabelEditor() {
  const scenario = useApp((state) => state.scenario);
  const { stage } = useRunData();
  if (!scenario || !stage) return <p className="inspector-part quiet">Open a scenario first.</p>;
  return <Editor scenario={scenario} stage={stage} />;
}

function Editor({ scenario, stage }: { readonly scenario: Scenario; readonly stage: Stage }) {
  const atMs = Math.round(useActsAt());
  const editing = useEditing();
  const selected = useSelectedNodes(stage);
  const { cluster } = stage;
  const groupOf = useMemo(
    () =>
      new Map(
        cluster.nodeNames.map((name, node) => [name, cluster.groups[cluster.nodeGroup[node]!]!]),
      ),
    [cluster],
  );
  const before = labelsBefore(
    scenario,
    (name) => groupOf.get(name)?.labels ?? {},
    atMs,
    editing?.index ?? -1,
  );
  const { draft, set, drop, note } = useKeptDraft(
    "label",
    () => {
      const own = editing?.change.kind === "label" ? editing.change : null;
      const names = own?.nodes ?? selected;
      const now = (name: string) => {
        const labels = { ...before(name), ...own?.labels };
        for (const label of own?.remove ?? []) delete labels[label];
        return labels;
      };
      return { nodes: names.join(","), labels: commonText(names, now) };
    },
    selected.join(),
  );
  const known = useMemo(() => new Set(cluster.nodeNames), [cluster]);
  const wrongNodes = draft.nodes.trim() === "" ? "Name a node." : hostsError(draft.nodes, known);
  const change = wrongNodes === null ? labelChange(draft, before) : null;
  const wrongLabels =
    wrongNodes === null && change === null ? "Write label=value, label=value." : null;
  const differs =
    change !== null && Object.keys(change.labels).length + (change.remove?.length ?? 0) > 0;
  const names = nodesIn(draft.nodes);
  const what = names.length === 1 ? names[0]! : countText(names.length, "node");
  const time = clockText(atMs, scenario.calendarStart);
  const apply = () => {
    if (change === null) return;
    drop();
    applyChange({ kind: "label", ...change }, `Label ${what}`);
  };
  return (
    <EditorFrame
      title="Label nodes"
      when={`from ${time} on`}
      apply={`Label ${names.length === 0 ? "" : what} at ${time}`}
      problem={wrongNodes ?? wrongLabels ?? (differs ? null : "Nothing differs yet.")}
      onApply={apply}
    >
      {note}
      <TextField
        label="Labels"
        value={draft.labels}
        placeholder="zone=b, disk=ssd"
        error={wrongLabels}
        hint="All that they shall have from then on; what is taken out of the line goes."
        onChange={(labels) => set({ labels })}
      />
      <TextField
        label="Nodes"
        value={draft.nodes}
        error={wrongNodes}
        hint="By name, also as a list such as n-[000-003]. Their class keeps its labels."
        onChange={(nodes) => set({ nodes })}
      />
      <p className="preview quiet" role="status">
        {differs
          ? `${what}: ${changeText(change)}. What runs there stays.`
          : "Jobs that ask for labels go by them from then on."}
      </p>
    </EditorFrame>
  );
}

/** The node that is selected, that of the device, or all of the leaf. */
function useSelectedNodes({ cluster }: Stage): readonly string[] {
  const selection = useApp((state) => state.selection);
  return useMemo(() => {
    if (selection?.kind === "node") return [cluster.nodeNames[selection.node] ?? ""];
    if (selection?.kind !== "leaf") return [];
    return cluster.nodeNames.filter((_, node) => cluster.leafOfNode[node] === selection.leaf);
  }, [cluster, selection]);
}
