/**
 * What was understood of a dropped trace, before it runs: how many jobs, what was left out and why, and the cluster and policy it
 * is to run on, which the user may change.
 */
import { useMemo, useRef, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import { LIMITS } from "../../model/limits.ts";
import { startingPoints } from "../../panels/inspector/policy/startingPoints.ts";
import { readScenario } from "../../scenario/read.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { POLICY_NAMES } from "../../scenario/settings.ts";
import { type Replay, replayOn } from "../../scenario/slurm/replayOn.ts";
import { openDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import type { ReadTrace } from "../../store/shellState.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { withoutStep } from "../../store/viewSteps.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { NumberField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { sizeText } from "./sizeText.ts";

/** What a format is called where a person reads it. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  swf: "Standard Workload Format (SWF)",
  "swf-ext": "Standard Workload Format (SWF) with more columns",
  "itp-raw": "job log of a Microsoft ITP cluster",
  "itp-ef": "experiment file of ElasticFlow",
  sacct: "output of sacct, Slurm’s job accounting",
  "openb-pod": "pods of an Alibaba GPU cluster (openb)",
  "sacct-noheader": "output of sacct, Slurm’s job accounting, without a header line",
};

export function TraceDialog({ trace }: { readonly trace: ReadTrace }) {
  const group = trace.suggested.cluster.nodeGroups[0]!;
  const { flat } = trace.suggested.cluster;
  const [nodes, setNodes] = useState(group.count);
  const [gpus, setGpus] = useState(group.gpus);
  const [policy, setPolicy] = useState(
    trace.format.startsWith("sacct") && !flat ? "slurm" : "easy",
  );
  const [refused, setRefused] = useState<string | null>(null);
  const present = useApp((state) => state.scenario);
  const replay = useMemo(
    () =>
      present && isUnderSlurm(present) && !flat
        ? replayOn(present, trace.suggested, trace.users)
        : null,
    [present, trace, flat],
  );
  const hasRoom = present === null || trace.largest <= gpusOf(present);
  const [onOpen, setOnOpen] = useState(replay?.refusesAll === null && hasRoom);
  const isReplay = replay !== null && onOpen;
  const body = useRef<HTMLDivElement>(null);
  const tooMany =
    nodes * gpus > LIMITS.devices
      ? `${countText(nodes * gpus, "GPU")} in all; at most ${numberText(LIMITS.devices)} are accepted.`
      : null;
  const open = async (): Promise<void> => {
    // What stands in a field but is no value of it has its sentence there.
    const wrong = isReplay ? null : body.current?.querySelector<HTMLElement>("[aria-invalid]");
    if (wrong) {
      wrong.focus();
      return;
    }
    const scenario = isReplay ? replay.scenario : withChoice(trace.suggested, nodes, gpus, policy);
    const read = readScenario(scenario);
    if (!read.ok) {
      setRefused(read.error.map(({ message, remedy }) => `${message} ${remedy}`).join(" "));
      return;
    }
    closeDialog();
    if (await openDocument({ scenario, baseId: null, view: null }, `Open ${trace.name}`)) {
      notify(`${trace.name} opened: ${countText(trace.jobs, "job")}.`, true);
      // One step with the opening: Back leads to what stood before.
      withoutStep(() => useApp.setState({ drawer: "waiting" }));
    }
  };
  return (
    <Dialog
      title={trace.name}
      description={`${FORMAT_NAMES[trace.format] ?? trace.format} · ${countText(trace.jobs, "job")} that can be replayed · ${sizeText(trace.bytes)}`}
      open
      onClose={closeDialog}
      actions={
        <>
          <Button label="Cancel" onClick={closeDialog} />
          <Button label="Open trace" look="primary" onClick={() => void open()} />
        </>
      }
    >
      <h3 className="dialog-h">Read from the file</h3>
      {trace.notes.length === 0 ? (
        <p className="quiet">Every row was taken as it stands.</p>
      ) : (
        <ul className="notes">
          {trace.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <h3 className="dialog-h">Run it on</h3>
      {replay && present && (
        <Select
          label="Cluster"
          value={onOpen ? "open" : "fits"}
          options={[
            { value: "open", label: `The open cluster, under its Slurm: ${present.title}` },
            { value: "fits", label: "A cluster chosen for the file" },
          ]}
          onChange={(value) => setOnOpen(value === "open")}
          hint={replayHint(present, replay, onOpen, hasRoom ? null : trace.largest)}
        />
      )}
      {present && isUnderSlurm(present) && flat && (
        <p className="quiet">
          No job of the file has GPUs, so it runs on a machine of processors and not on the open
          cluster.
        </p>
      )}
      {isReplay && <Unmatched sentences={replay.unmatched} />}
      <div className="field-row" ref={body} hidden={isReplay}>
        {flat ? (
          <NumberField
            label="Processors"
            hint="One machine, no placement rules"
            value={gpus}
            least={1}
            most={LIMITS.devicesPerNode}
            onChange={setGpus}
          />
        ) : (
          <>
            <NumberField
              label="Nodes"
              value={nodes}
              least={1}
              most={LIMITS.nodes}
              onChange={setNodes}
            />
            <NumberField
              label="GPUs a node"
              hint={`${countText(nodes * gpus, "GPU")} in all`}
              error={tooMany}
              value={gpus}
              least={1}
              most={1_024}
              onChange={setGpus}
            />
          </>
        )}
        <Select
          label="Policy"
          value={policy}
          options={policiesFor(trace.suggested)}
          onChange={setPolicy}
        />
      </div>
      {refused !== null && (
        <p className="field-error" role="alert">
          {refused}
        </p>
      )}
    </Dialog>
  );
}

function Unmatched({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0)
    return <p className="quiet">Every name of the file was found there.</p>;
  return (
    <ul className="notes">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** The named policies that mean something for a log: quotas only where its teams have some. */
function policiesFor({ teams }: Scenario) {
  const hasQuotas = teams.some(({ quotaGpus = 0 }) => quotaGpus > 0);
  const points = startingPoints("lab").filter(
    ({ policy }) => hasQuotas || (policy.settings?.["quota"] ?? "none") === "none",
  );
  const options = points.map(({ name, label }) => ({ value: name, label }));
  return [...options, { value: "slurm", label: "Slurm with its defaults" }];
}

function isUnderSlurm(scenario: Scenario): boolean {
  return scenario.pools.some((pool) => pool.policy.preset === "slurm");
}

/** Under the open Slurm: how names are matched. Else: that it would have refused everything, where it would. `tooLarge`: GPUs of a job that has no room there. */
function replayHint(
  present: Scenario,
  { refusesAll }: Replay,
  onOpen: boolean,
  tooLarge: number | null,
) {
  if (refusesAll !== null)
    return `The open Slurm ${onOpen ? "will" : "would"} refuse every job: ${refusesAll}.`;
  if (tooLarge !== null)
    return `The open cluster has ${countText(gpusOf(present), "GPU")}: a job of ${numberText(tooLarge)} ${onOpen ? "will" : "would"} never start there.`;
  return onOpen
    ? `${clusterText(present)}. Partitions, QOS and accounts are matched by name.`
    : undefined;
}

function gpusOf({ cluster: { nodeGroups } }: Scenario): number {
  return nodeGroups.reduce((sum, group) => sum + group.count * group.gpus, 0);
}

function clusterText(scenario: Scenario): string {
  const nodes = scenario.cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0);
  return `${countText(nodes, "node")}, ${countText(gpusOf(scenario), "GPU")}`;
}

/** The suggested scenario with the user's machine and policy. */
function withChoice(suggested: Scenario, nodes: number, gpus: number, policy: string): Scenario {
  const [group, ...others] = suggested.cluster.nodeGroups;
  const [pool, ...pools] = suggested.pools;
  const named = POLICY_NAMES[policy];
  if (!group || !pool || !named) return suggested;
  const { fabric } = suggested.cluster;
  return {
    ...suggested,
    cluster: {
      ...suggested.cluster,
      nodeGroups: [{ ...group, count: nodes, gpus }, ...others],
      ...(fabric
        ? { fabric: { ...fabric, nodesPerLeaf: Math.min(fabric.nodesPerLeaf, nodes) } }
        : {}),
    },
    pools: [
      {
        ...pool,
        policy: {
          preset: named.preset,
          settings: { ...named.settings },
          ...(named.slurm ? { slurm: named.slurm } : {}),
        },
      },
      ...pools,
    ],
  };
}
