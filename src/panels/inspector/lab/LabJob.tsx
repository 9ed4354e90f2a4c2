/** Facts of a job in the policy lab, and whom preemption ties it to. */
import { useMemo } from "react";
import { clockNear } from "../../../base/format.ts";
import { JobFlag } from "../../../model/jobs.ts";
import { LAB_ORDERS, type LabOrder } from "../../../model/policy.ts";
import { HOUR_MS } from "../../../model/units.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { type Chunk, DecisionKindCode, jobOfMove } from "../../../record/shapes.ts";
import { ORDER_SENTENCES } from "../../../scenario/lab/orderSettings.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { run } from "../../../store/commands.ts";
import { jobFacts } from "../../../store/explain.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import { holdingsAt, type JobMoment, type JobStory } from "../../../timeline/jobStory.ts";
import { FactList } from "../FactList.tsx";
import { holdsParts } from "../jobWords.ts";
import { factLines } from "./labJobWords.ts";
import "./labJob.css";

export interface LabJobProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly story: JobStory;
  readonly moment: JobMoment;
}

export function LabJob(props: LabJobProps) {
  const { stage, future, jobIdx, atMs, calendar, story, moment } = props;
  const over = moment.kind === "done" || moment.kind === "unsubmitted";
  const subject = over ? "" : `${future.generation} ${jobIdx}`;
  const answer = useAsked(subject, atMs, (at) => jobFacts(jobIdx, at));
  const facts = answer.kind === "known" ? answer.value : null;
  const held = holdingsAt(story, atMs);
  const orderLabel = useApp(({ scenario }) =>
    scenario ? orderLabelAt(scenario, stage.poolIds[stage.poolOfJob[jobIdx]!] ?? "", atMs) : null,
  );
  const { at, components } = stage.jobs;
  const lines = facts
    ? factLines(facts, {
        atMs,
        calendar,
        deviceWord: stage.cluster.deviceWord,
        story,
        moment,
        heldDevices: held.reduce((sum, rect) => sum + rect.deviceCount, 0),
        orderLabel,
        heldHours: holdsParts(stage, jobIdx) ? 0 : heldHoursOf(story, atMs),
        replica: (at.flags[jobIdx]! & JobFlag.service) !== 0,
        memberDevices: components.gpus[at.firstComponent[jobIdx]!] ?? 1,
        membersAsked: components.members[at.firstComponent[jobIdx]!] ?? 1,
      })
    : [];
  return (
    <>
      {lines.length > 0 && (
        <section className="lab-facts" aria-label="Facts of the job">
          <FactList facts={lines} />
        </section>
      )}
      <Preemptions {...props} />
    </>
  );
}

/** Device-hours that it has held up to `atMs`. O(its bars). */
function heldHoursOf(story: JobStory, atMs: number): number {
  const heldMs = story.rects.reduce(
    (sum, { startMs, endMs, deviceCount }) =>
      sum + Math.max(0, Math.min(endMs, atMs) - startMs) * deviceCount,
    0,
  );
  return heldMs / HOUR_MS;
}

/** Orders by a number of their own; those by submit time, size, limit or tier say nothing that the card does not say anyway. */
const TELLING: ReadonlySet<LabOrder> = new Set([
  "priority",
  "multifactor",
  "highestBid",
  "fairShare",
  "fairTree",
  "leastUsage",
  "drf",
  "maxMin",
  "leastAttained",
  "themis",
]);

function orderLabelAt(scenario: Scenario, pool: string, atMs: number): string | null {
  const given = policyAt(scenario, pool, atMs).settings["order"];
  const order = LAB_ORDERS.find((one) => one === given);
  return order && TELLING.has(order) ? ORDER_SENTENCES[order][0] : null;
}

interface Tie {
  readonly atMs: number;
  readonly otherIdx: number;
  /** It went on elsewhere. */
  readonly moved: boolean;
}

/** For whom its devices were taken from a job by a decision; −1 = for nobody. */
function forWhom(kind: number, value: number): number {
  if (kind === DecisionKindCode.move) return jobOfMove(value);
  return kind === DecisionKindCode.evict || kind === DecisionKindCode.suspend ? value : -1;
}

/** Who preempted or moved it, and who gave way to it, newest first, up to the cursor. */
function Preemptions({ stage, future, jobIdx, atMs, calendar, story }: LabJobProps) {
  const others = useMemo(() => giveWayTo(future.chunks, jobIdx), [future.chunks, jobIdx]);
  const own = story.decisions.flatMap(({ kind, value, atMs: tieMs }): Tie[] => {
    const otherIdx = forWhom(kind, value);
    return otherIdx < 0 ? [] : [{ atMs: tieMs, otherIdx, moved: kind === DecisionKindCode.move }];
  });
  const lists = [
    { title: "Preempted for", ties: own.filter(({ moved }) => !moved) },
    { title: "Moved for", ties: own.filter(({ moved }) => moved) },
    { title: "Made to give way", ties: others.filter(({ moved }) => !moved) },
    { title: "Moved out of its way", ties: others.filter(({ moved }) => moved) },
  ];
  return lists.map(({ title, ties }) => {
    const past = ties.filter((tie) => tie.atMs <= atMs).reverse();
    if (past.length === 0) return null;
    return (
      <section key={title} aria-label={title}>
        <h3>{title}</h3>
        <ul className="node-jobs">
          {past.slice(0, TIES_MOST).map((tie) => (
            <li key={`${tie.atMs} ${tie.otherIdx}`}>
              <button
                type="button"
                className="link"
                onClick={() => run("selectJob", { jobIdx: tie.otherIdx })}
              >
                {jobLabel(stage.jobs, tie.otherIdx)}
              </button>
              <span className="quiet">{clockNear(tie.atMs, atMs, calendar)}</span>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

const TIES_MOST = 8;

/** Jobs that were stopped or moved for this one. O(decisions of the record). */
function giveWayTo(chunks: readonly Chunk[], jobIdx: number): Tie[] {
  const ties: Tie[] = [];
  for (const { decisions } of chunks) {
    for (let row = 0; row < decisions.kind.length; row++) {
      const kind = decisions.kind[row]!;
      if (forWhom(kind, decisions.value[row]!) !== jobIdx) continue;
      const moved = kind === DecisionKindCode.move;
      ties.push({ atMs: decisions.atMs[row]!, otherIdx: decisions.jobIdx[row]!, moved });
    }
  }
  return ties;
}
