/** One device at the cursor: who holds it or which parts of it, whether it has failed, and who held it before. */
import { useMemo } from "react";
import {
  clockNear,
  clockText,
  countText,
  durationText,
  NBSP,
  numberText,
} from "../../../base/format.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import { MEMBER_STATES } from "../../../model/states.ts";
import { WHOLE_DEVICE } from "../../../model/units.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { type Hold, heldShare, holdsOf } from "../../../timeline/deviceStory.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { nodeHistoryOf } from "../../../timeline/nodeHistory.ts";
import { deviceName } from "../../../timeline/nodeWords.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CardProps } from "../cardParts.tsx";
import { isUnknown, NotComputed } from "../NotComputed.tsx";
import { JobLines } from "./JobLines.tsx";

const HISTORY_MOST = 40;

export function GpuCard({
  stage,
  future,
  atMs,
  calendar,
  device,
}: CardProps & { readonly device: number }) {
  const { cluster } = stage;
  const node = nodeOfDevice(cluster, device);
  const group = cluster.groups[cluster.nodeGroup[node]!];
  const holds = useMemo(() => holdsOf(future, device), [future, device]);
  const history = useMemo(
    () => nodeHistoryOf(future.chunks, future.open, cluster.nodeCount),
    [future, cluster],
  );
  const out = history.devices.filter((one) => one.device === device && one.fromMs <= atMs);
  const now = holds.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  const before = holds.filter(({ toMs }) => toMs <= atMs).reverse();
  const name = deviceName(stage, device);
  const unknown = isUnknown(future, atMs);
  const isOut = out.find(({ toMs }) => atMs < toMs);
  return (
    <article className="inspector-part" aria-label={name}>
      <header className="who">
        <div className="who-text">
          <h2>{name}</h2>
          <p>
            {group?.gpuModel}
            {group && group.gpuMemMiB > 0 && ` · ${numberText(group.gpuMemMiB / 1_024)}${NBSP}GiB`}
            {" · "}
            <button type="button" className="link" onClick={() => run("selectNode", { node })}>
              {cluster.nodeNames[node]}
            </button>
          </p>
        </div>
      </header>
      {unknown ? (
        <NotComputed future={future} atMs={atMs} calendar={calendar} />
      ) : (
        <p className="why" role="status">
          <b>
            {isOut
              ? `${isOut.kind === "failed" ? "Failed" : "Being cut anew"} since ${clockNear(isOut.fromMs, atMs, calendar)}.`
              : nowWords(now, stage, atMs)}
          </b>{" "}
          {atMs > 0 &&
            `Held ${numberText(100 * heldShare(holds, atMs))}${NBSP}% of the time so far.`}
        </p>
      )}
      {!unknown && now.length > 0 && (
        <JobLines
          label="Who holds it"
          stage={stage}
          lines={now.map((hold) => ({
            key: `${hold.jobIdx} ${hold.part}`,
            jobIdx: hold.jobIdx,
            text: `${partText(hold, stage)}since ${clockNear(hold.fromMs, atMs, calendar)}`,
            title: MEMBER_STATES[hold.memberState] ?? "",
          }))}
        />
      )}
      {out.length > 0 && (
        <>
          <h3>Out of order</h3>
          <ul className="node-jobs">
            {out.map((one) => (
              <li key={`${one.kind} ${one.fromMs}`}>
                {one.kind === "failed" ? "failed" : "cut anew"} {clockText(one.fromMs, calendar)}
                <span className="quiet">
                  {one.toMs <= atMs ? durationText(one.toMs - one.fromMs) : "until now"}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {!unknown && before.length > 0 && (
        <>
          <h3>Held before by {countText(before.length, "run")}</h3>
          <JobLines
            label="Who held it before"
            stage={stage}
            lines={before.slice(0, HISTORY_MOST).map((hold) => ({
              key: `${hold.jobIdx} ${hold.part} ${hold.fromMs}`,
              jobIdx: hold.jobIdx,
              text: `${partText(hold, stage)}${clockText(hold.fromMs, calendar)}, ${durationText(hold.toMs - hold.fromMs)}`,
            }))}
          />
          {before.length > HISTORY_MOST && (
            <p className="quiet">and {numberText(before.length - HISTORY_MOST)} earlier</p>
          )}
        </>
      )}
      <Neighbours stage={stage} device={device} node={node} />
    </article>
  );
}

function nowWords(now: readonly Hold[], stage: Stage, atMs: number): string {
  const [first] = now;
  if (first === undefined) return "Free.";
  if (now.length > 1) return `Shared by ${countText(now.length, "job")}.`;
  const part = first.part === 0 ? "Held" : "Held in part";
  const state = MEMBER_STATES[first.memberState] ?? "running";
  const doing = state === "running" ? "" : `, which is ${STATE_WORDS[state]}`;
  return `${part} by job ${jobLabel(stage.jobs, first.jobIdx)} for ${durationText(atMs - first.fromMs)}${doing}.`;
}

const STATE_WORDS = {
  held: "waiting for its other members",
  starting: "starting up",
  running: "running",
  checkpointing: "saving its state",
  suspended: "suspended",
  ending: "being told to end",
  stalled: "hanging",
  restoring: "reading its state back",
} as const;

/** "MIG 2g.20gb at 4, ", "0.25 of it, "; nothing for a whole device. */
function partText({ part, jobIdx }: Pick<Hold, "part" | "jobIdx">, stage: Stage): string {
  if (part === 0) return "";
  if (part <= WHOLE_DEVICE) return `${numberText(part / WHOLE_DEVICE, 2)} of it, `;
  const { at, components, migProfiles } = stage.jobs;
  const profile = migProfiles?.[(components.mig[at.firstComponent[jobIdx]!] ?? 0) - 1] ?? "";
  return `MIG ${profile} at slice ${part - WHOLE_DEVICE - 1}, `;
}

interface NeighboursProps {
  readonly stage: Stage;
  readonly device: number;
  readonly node: number;
}

/** To the device before and after it on its node. */
function Neighbours({ stage: { cluster }, device, node }: NeighboursProps) {
  const word = cluster.deviceWord;
  const first = cluster.deviceBase[node]!;
  const last = cluster.deviceBase[node + 1]! - 1;
  if (first === last) return null;
  return (
    <fieldset className="job-actions" aria-label="Other devices of the node">
      <Button
        label={`Previous ${word} of the node`}
        disabledReason={device > first ? null : "it is the first"}
        onClick={() => run("selectGpu", { device: device - 1 })}
      >
        ‹ {word}
      </Button>
      <Button
        label={`Next ${word} of the node`}
        disabledReason={device < last ? null : "it is the last"}
        onClick={() => run("selectGpu", { device: device + 1 })}
      >
        {word} ›
      </Button>
    </fieldset>
  );
}
