/**
 * Closes and opens nodes at the cursor. Drain: no new work, running jobs may finish. Fail: running jobs stop at once. Resume: open
 * again. Nodes are found by name or leaf; a whole leaf can be taken at once.
 */
import { useMemo, useState } from "react";
import { clockText, countText } from "../../../base/format.ts";
import type { Cluster } from "../../../model/cluster.ts";
import { NODE_STATES } from "../../../model/states.ts";
import type { Intervention } from "../../../scenario/schema.ts";
import { run } from "../../../store/commands.ts";
import type { Future } from "../../../store/runData.ts";
import { isSlurmAt } from "../../../store/slurmPools.ts";
import type { Selection } from "../../../store/state.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { createHolders, nodeStatesAt } from "../../../timeline/stateAt.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { applyChange, useActsAt, useEditing } from "../changes/editing.ts";
import { useKeptDraft } from "../changes/keptDraft.tsx";
import { EditorFrame } from "../EditorFrame.tsx";

const MOST_SHOWN = 64;
const ACTIONS = {
  drain: { label: "Drain", sentence: "Takes no new work; jobs on it may finish." },
  fail: { label: "Fail", sentence: "Goes down; jobs on it stop at once." },
  resume: { label: "Resume", sentence: "Open for work again." },
} as const;
/** The same where a pool is under Slurm: a crash is found out by pings, an administrator's DOWN acts at once. */
const SLURM_ACTIONS = {
  drain: { label: "Drain", sentence: "State=DRAIN: takes no new work; jobs on it may finish." },
  down: { label: "Down", sentence: "State=DOWN: jobs on it stop at once." },
  fail: { label: "Crash", sentence: "It dies; Slurm finds out when it does not answer." },
  resume: { label: "Resume", sentence: "State=RESUME: open for work again." },
} as const;
type Action = keyof typeof SLURM_ACTIONS;

interface Draft {
  readonly action: Action;
  readonly chosen: ReadonlySet<number>;
}

export function DrainEditor() {
  const { stage, current } = useRunData();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const selection = useApp((state) => state.selection);
  const atMs = useActsAt();
  const edited = useEditing()?.change ?? null;
  const [words, setWords] = useState("");
  const { draft, set, drop, note } = useKeptDraft<Draft>(
    "drain",
    () => ({
      action: actionOf(edited),
      chosen: new Set(stage ? firstChosen(stage.cluster, edited, selection) : []),
    }),
    selection?.kind === "node" ? String(selection.node) : "",
  );
  const { action, chosen } = draft;
  const slurm = useApp(
    ({ scenario }) => scenario?.pools.some((_, index) => isSlurmAt(scenario, index, atMs)) ?? false,
  );
  const actions: Partial<Record<Action, { readonly label: string; readonly sentence: string }>> =
    slurm ? SLURM_ACTIONS : ACTIONS;
  const states = useNodeStates(stage?.cluster ?? null, current, atMs);
  const found = useMemo(() => (stage ? findNodes(stage.cluster, words) : []), [stage, words]);
  if (!stage || !states) return <p className="inspector-part quiet">Open a scenario first.</p>;
  const time = clockText(atMs, calendar);
  const names = [...chosen].sort((a, b) => a - b).map((node) => stage.cluster.nodeNames[node]!);
  const what = names.length === 1 ? names[0]! : countText(names.length, "node");
  const verb = actions[action]?.label ?? "Drain";
  const apply = () => {
    const kind = action === "down" ? { kind: "fail", noticed: true } : { kind: action };
    drop();
    applyChange({ ...kind, nodes: names }, `${verb} ${what}`);
  };
  const toggle = (node: number) => {
    const next = new Set(chosen);
    if (!next.delete(node)) next.add(node);
    set({ chosen: next });
  };
  return (
    <EditorFrame
      title="Drain, fail or resume nodes"
      when={`at ${time}`}
      apply={`${verb} ${names.length === 0 ? "" : what} at ${time}`}
      problem={names.length === 0 ? "Choose a node." : null}
      onApply={apply}
    >
      {note}
      <TextField
        label="Find nodes by name or leaf"
        value={words}
        onChange={setWords}
        hint={
          found.length > MOST_SHOWN
            ? `${countText(found.length, "node")} match; the first ${MOST_SHOWN} are shown.`
            : undefined
        }
      />
      {found.length === 0 ? (
        <p className="quiet">No node matches “{words}”.</p>
      ) : (
        <fieldset className="nodes">
          <legend className="sr-only">Nodes</legend>
          {found.slice(0, MOST_SHOWN).map((node) => (
            <label key={node} className="check">
              <input type="checkbox" checked={chosen.has(node)} onChange={() => toggle(node)} />
              <span>{stage.cluster.nodeNames[node]}</span>
              {states[node] !== 0 && <span className="quiet">{NODE_STATES[states[node]!]}</span>}
            </label>
          ))}
        </fieldset>
      )}
      {words.trim() !== "" && found.length > 1 && (
        <Button
          label={`Choose all ${found.length}`}
          onClick={() => set({ chosen: new Set(found) })}
        />
      )}
      <fieldset className="choices">
        <legend>Do</legend>
        {(Object.keys(actions) as Action[]).map((key) => (
          <label key={key} className="choice">
            <input
              type="radio"
              name="action"
              checked={action === key}
              onChange={() => set({ action: key })}
            />
            <span>
              {actions[key]?.label}
              <small>{actions[key]?.sentence}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <Button
        label="Create a reservation instead"
        onClick={() => run("openSide", { side: "reserve" })}
      />
      <p className="preview quiet" role="status">
        {names.length === 0
          ? "No node chosen."
          : `Chosen: ${names.slice(0, 6).join(", ")}${names.length > 6 ? ` and ${names.length - 6} more` : ""}.`}
      </p>
    </EditorFrame>
  );
}

function actionOf(edited: Intervention | null): Action {
  if (edited?.kind === "fail") return edited.noticed ? "down" : "fail";
  return edited?.kind === "resume" ? "resume" : "drain";
}

/** Nodes of the change that is edited, else the one that is selected. */
function firstChosen(
  cluster: Cluster,
  edited: Intervention | null,
  selection: Selection,
): readonly number[] {
  if (edited && "nodes" in edited && Array.isArray(edited.nodes))
    return edited.nodes.map((name) => cluster.nodeNames.indexOf(name)).filter((node) => node >= 0);
  return selection?.kind === "node" ? [selection.node] : [];
}

function useNodeStates(cluster: Cluster | null, future: Future, atMs: number): Uint8Array | null {
  return useMemo(() => {
    if (!cluster) return null;
    const holders = createHolders(cluster);
    nodeStatesAt(future.chunks, future.open, atMs, holders);
    return holders.stateOfNode;
  }, [cluster, future, atMs]);
}

/** Nodes whose name or leaf holds the words; all nodes for none. O(nodes). */
function findNodes(cluster: Cluster, words: string): number[] {
  const wanted = words.trim().toLowerCase();
  const found: number[] = [];
  for (let node = 0; node < cluster.nodeCount; node++) {
    const leaf = cluster.leafNames[cluster.leafOfNode[node]!]?.toLowerCase();
    if (wanted === "" || leaf === wanted || cluster.nodeNames[node]!.toLowerCase().includes(wanted))
      found.push(node);
  }
  return found;
}
