/** One node at the cursor: its state, the jobs on it, and the buttons that close and open it. */
import { lazy, Suspense, useMemo } from "react";
import { countText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { NODE_STATES, type NodeState, NodeStateCode } from "../../model/states.ts";
import type { Chunk } from "../../record/shapes.ts";
import { type Labels, labelsAt } from "../../scenario/labelsAt.ts";
import type { Intervention } from "../../scenario/schema.ts";
import { run } from "../../store/commands.ts";
import { historyContext } from "../../store/historyContext.ts";
import type { Future } from "../../store/runData.ts";
import { isSlurmAt, poolOfGroup } from "../../store/slurmPools.ts";
import { useApp } from "../../store/store.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { nodeHistoryOf } from "../../timeline/nodeHistory.ts";
import { labelText, leafText, nodeWords } from "../../timeline/nodeWords.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import type { CardProps } from "./cardParts.tsx";
import { isUnknown, NotComputed } from "./NotComputed.tsx";

const SlurmNode = lazy(async () => ({
  default: (await import("./slurm/SlurmNode.tsx")).SlurmNode,
}));

const NO_CHANGES: readonly Intervention[] = [];

export function NodeCard({
  stage,
  future,
  atMs,
  calendar,
  node,
}: CardProps & { readonly node: number }) {
  const { cluster } = stage;
  const from = cluster.deviceBase[node]!;
  const to = cluster.deviceBase[node + 1]!;
  const jobs = useMemo(() => jobsOnDevices(future, from, to, atMs), [future, from, to, atMs]);
  const state = NODE_STATES[stateAt(future, node, atMs)] ?? "open";
  const group = cluster.groups[cluster.nodeGroup[node]!];
  const name = cluster.nodeNames[node] ?? "";
  const history = useMemo(
    () => nodeHistoryOf(future.chunks, future.open, cluster.nodeCount),
    [future, cluster],
  );
  const words = nodeWords(history, historyContext(stage), node, atMs);
  const held = jobs.reduce((total, entry) => total + entry.devices, 0);
  const slurm = useApp(({ scenario }) =>
    isSlurmAt(scenario, scenario ? poolOfGroup(scenario, group?.id ?? "") : -1, atMs),
  );
  return (
    <article className="inspector-part" aria-label={`Node ${name}`}>
      <header className="who">
        <div className="who-text">
          <h2>{name}</h2>
          <p>
            {countText(to - from, cluster.deviceWord)} {group?.gpuModel}
            {cluster.hasFabric && " · "}
            {cluster.hasFabric && (
              <button
                type="button"
                className="link"
                onClick={() => run("selectLeaf", { leaf: cluster.leafOfNode[node]! })}
              >
                {leafText(cluster.leafNames[cluster.leafOfNode[node]!] ?? "")}
              </button>
            )}
          </p>
        </div>
      </header>
      {isUnknown(future, atMs) && <NotComputed future={future} atMs={atMs} calendar={calendar} />}
      <p className="why" hidden={isUnknown(future, atMs)}>
        <b>{STATE_WORDS[state]}</b>
        {state !== "unborn" &&
          ` ${held} of ${countText(to - from, cluster.deviceWord)} held by ${countText(jobs.length, "job")}.`}
      </p>
      {!isUnknown(future, atMs) && words.length > 0 && (
        <ul className="node-jobs" aria-label="What happens to the node">
          {words.map((line) => (
            <li key={line} className="quiet">
              {line}
            </li>
          ))}
        </ul>
      )}
      {slurm && !isUnknown(future, atMs) && (
        <Suspense fallback={null}>
          <SlurmNode node={node} state={state} held={held} devices={to - from} atMs={atMs} />
        </Suspense>
      )}
      <ul className="node-jobs">
        {jobs.map((entry) => {
          const tier = stage.jobs.at.tier[entry.jobIdx]!;
          return (
            <li key={entry.jobIdx}>
              <LetterMark
                letter={stage.tiers[tier]?.letter ?? "?"}
                tier={tier}
                tierCount={stage.tiers.length}
              />
              <button
                type="button"
                className="link"
                onClick={() => run("selectJob", { jobIdx: entry.jobIdx })}
              >
                {jobLabel(stage.jobs, entry.jobIdx)}
              </button>
              <span className="quiet">{countText(entry.devices, cluster.deviceWord)} here</span>
            </li>
          );
        })}
      </ul>
      {!cluster.flat && group && <LabelLine node={name} own={group.labels} atMs={atMs} />}
      {!cluster.flat && <Devices from={from} to={to} word={cluster.deviceWord} />}
      <NodeButtons
        name={name}
        state={state}
        slurm={slurm}
        jobs={jobs.map(({ jobIdx }) => nameOf(stage.jobs.ids, jobIdx))}
      />
    </article>
  );
}

const STATE_WORDS: Readonly<Record<NodeState, string>> = {
  open: "Open for work.",
  drained: "Drained: takes no new work.",
  down: "Down.",
  unborn: "Not there.",
  silent: "Failed, not noticed yet: takes no new work, and jobs on it make no progress.",
};

interface LabelsProps {
  readonly node: string;
  /** Those of its class. */
  readonly own: Labels;
  readonly atMs: number;
}

/** The labels that it has at the cursor; from there on it can get others. Those of its class are edited with the cluster. */
function LabelLine({ node, own, atMs }: LabelsProps) {
  const changes = useApp((state) => state.scenario?.interventions ?? NO_CHANGES);
  const labels = labelsAt(changes, node, own, atMs);
  const text = labelText({ labels });
  return (
    <p className="node-devices">
      <span className="quiet">labels</span>
      <span>{text === "" ? "none" : text}</span>
      <button
        type="button"
        className="link"
        title="This node alone, from the cursor on"
        onClick={() => run("openSide", { side: "label" })}
      >
        change from here
      </button>
      <button
        type="button"
        className="link"
        title="All nodes of its class, from the start"
        onClick={() => run("openCluster")}
      >
        edit in the cluster
      </button>
    </p>
  );
}

interface DevicesProps {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** Its devices, each of which has a card. */
function Devices({ from, to, word }: DevicesProps) {
  const places = Array.from({ length: to - from }, (_, place) => place);
  return (
    <p className="node-devices">
      <span className="quiet">{word}s</span>
      {places.map((place) => (
        <button
          type="button"
          className="link"
          key={place}
          aria-label={`${word} ${place}`}
          title={`Who holds and held ${word} ${place}`}
          onClick={() => run("selectGpu", { device: from + place })}
        >
          {place}
        </button>
      ))}
    </p>
  );
}

interface ButtonsProps {
  readonly name: string;
  readonly state: NodeState;
  readonly slurm: boolean;
  /** Ids of the jobs on it. */
  readonly jobs: readonly string[];
}

function NodeButtons({ name, state, slurm, jobs }: ButtonsProps) {
  const open = state === "open";
  const down = state === "down" ? "it is down already" : null;
  // Under Slurm an administrator's DOWN acts at once; a crash is found out by pings.
  const failing = slurm
    ? [
        { change: { kind: "fail", noticed: true }, word: "Down", off: down },
        { change: { kind: "fail" }, word: "Crash", off: down },
      ]
    : [{ change: { kind: "fail" }, word: "Fail", off: down }];
  const buttons = [
    {
      change: { kind: "drain" },
      word: "Drain",
      off: open ? null : "it takes no work already",
      title: "No new work; what runs may end. Kubernetes calls it cordon.",
    },
    ...failing,
    { change: { kind: "resume" }, word: "Resume", off: open ? "it is open" : null },
    {
      change: { kind: "drain" },
      also: jobs.map((job) => ({ kind: "requeue", job })),
      word: "Evict",
      off: !open
        ? "it takes no work already"
        : jobs.length === 0
          ? "nothing is on it: drain it"
          : null,
      title: "Drain, and what runs goes back to the queue: what Kubernetes calls drain.",
    },
  ];
  return (
    <fieldset className="job-actions" aria-label="Change this node at the cursor">
      <span className="part-note">From the cursor on</span>
      {buttons.map(({ change, word, off, ...more }) => (
        <Button
          key={word}
          label={`${word} ${name}`}
          disabledReason={off}
          {...("title" in more && { hint: more.title })}
          onClick={() =>
            run("intervene", {
              intervention: { ...change, nodes: [name] },
              ...("also" in more && { also: more.also }),
              label: `${word} ${name}`,
            })
          }
        >
          {word}
        </Button>
      ))}
      <Button label={`Reserve ${name}`} onClick={() => run("openSide", { side: "reserve" })}>
        Reserve
      </Button>
    </fieldset>
  );
}

function stateAt(future: Future, node: number, atMs: number): number {
  let state: number = NodeStateCode.open;
  const read = (spans: Chunk["nodeSpans"]) => {
    for (let row = spans.node.indexOf(node); row >= 0; row = spans.node.indexOf(node, row + 1)) {
      if (spans.startMs[row]! <= atMs && atMs < spans.endMs[row]!) state = spans.state[row]!;
    }
  };
  for (const chunk of future.chunks) read(chunk.nodeSpans);
  if (future.open) read(future.open.nodeSpans);
  return state;
}

interface OnNode {
  readonly jobIdx: number;
  devices: number;
}

/** Jobs that hold devices of [from, to) at a time. O(rectangles that close after it). */
function jobsOnDevices(future: Future, from: number, to: number, atMs: number): OnNode[] {
  const found = new Map<number, OnNode>();
  const read = (rects: Chunk["rects"], open: boolean) => {
    const { device, deviceCount, startMs, endMs, jobIdx } = rects;
    for (let row = 0; row < device.length; row++) {
      if (
        device[row]! < from ||
        device[row]! >= to ||
        startMs[row]! > atMs ||
        (!open && endMs[row]! <= atMs)
      )
        continue;
      const entry = found.get(jobIdx[row]!) ?? { jobIdx: jobIdx[row]!, devices: 0 };
      entry.devices += deviceCount[row]!;
      found.set(jobIdx[row]!, entry);
    }
  };
  for (const chunk of future.chunks) if (chunk.toMs > atMs) read(chunk.rects, false);
  if (future.open) read(future.open.rects, true);
  return [...found.values()].sort((a, b) => a.jobIdx - b.jobIdx);
}
