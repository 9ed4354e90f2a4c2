/**
 * What the card of a job says where Slurm decides: state, partition, QOS and account, plan, the terms of its priority, its walk
 * through the Fair Tree, who may preempt it, its GPUs by index. And, of any pool, what it depends on.
 */
import { numberText } from "../../../base/format.ts";
import type { DependencyFact } from "../../../engine/jobFacts.ts";
import { nameOf } from "../../../model/jobs.ts";
import { slurmReasonOf } from "../../../model/reasons.ts";
import type { SlurmJobFacts } from "../../../model/slurm/jobFacts.ts";
import { dependencyWords, slurmClock, slurmSpan } from "../../../model/slurm/words.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { jobFacts } from "../../../store/explain.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { holdingsAt, type JobMoment, type JobStory, reasonAt } from "../../../timeline/jobStory.ts";
import { type Fact, FactList } from "../FactList.tsx";
import { FairTree } from "./FairTree.tsx";
import { PriorityTerms } from "./PriorityTerms.tsx";
import {
  arrayText,
  gpuIndices,
  hostList,
  passesText,
  preemptText,
  stateWord,
} from "./slurmJobWords.ts";
import "./slurmJob.css";

export interface SlurmJobProps {
  readonly stage: Stage;
  readonly generation: number;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly story: JobStory;
  readonly moment: JobMoment;
  /** Its pool is under Slurm; else only what it depends on is shown. */
  readonly slurm: boolean;
}

export function SlurmJob(props: SlurmJobProps) {
  const { stage, generation, jobIdx, atMs, moment, slurm } = props;
  const answer = useAsked(`${generation} ${jobIdx}`, atMs, (at) => jobFacts(jobIdx, at));
  const known = answer.kind === "known" ? answer.value : null;
  const facts = slurm ? (known?.slurm ?? null) : null;
  return (
    <>
      {slurm && moment.kind !== "unsubmitted" && <States {...props} facts={facts} />}
      {known && known.dependencies.length > 0 && (
        <Dependencies
          list={known.dependencies}
          stage={stage}
          waits={moment.kind === "waiting" || moment.kind === "unsubmitted"}
        />
      )}
      {facts && moment.kind === "waiting" && (
        <>
          <PriorityTerms facts={facts} />
          {facts.fairShare && <FairTree facts={facts.fairShare} />}
        </>
      )}
    </>
  );
}

function States(props: SlurmJobProps & { readonly facts: SlurmJobFacts | null }) {
  const { stage, story, atMs, moment, calendar, facts } = props;
  const held = holdingsAt(story, atMs);
  const waits = moment.kind === "waiting";
  const reason = waits ? slurmReasonOf(reasonAt(story, atMs)) : null;
  const rows: Fact[] = [
    ["State", reason === null ? stateWord(moment, held) : `PENDING (${reason})`],
  ];
  if (facts) {
    rows.push(
      ["Partition", facts.partition],
      ["Account", facts.account === "" ? "none" : facts.account],
      ["QOS", facts.qos],
    );
    rows.push(["TimeLimit", slurmSpan(facts.limitMs)]);
    if (facts.array) rows.push(["Array", arrayText(facts.array)]);
    if (facts.restarts > 0) rows.push(["Restarts", numberText(facts.restarts)]);
  }
  if (facts && waits) {
    rows.push(["StartTime", slurmClock(facts.plannedMs, calendar)]);
    if (facts.plannedNodes.length > 0)
      rows.push(["SchedNodeList", hostList(stage, facts.plannedNodes)]);
    rows.push(["Next passes", passesText(facts, calendar)]);
    if (facts.beginMs > atMs) rows.push(["EligibleTime", slurmClock(facts.beginMs, calendar)]);
  }
  if (moment.kind === "running" && !stage.cluster.flat)
    rows.push(["GRES indices", gpuIndices(stage.cluster, held)]);
  if (facts?.preemptable)
    rows.push(["Preemptable by", preemptText(facts.preemptable, atMs, calendar)]);
  return (
    <section aria-label="In Slurm’s words">
      {facts && reason === "None" && (
        <p>It waits for Slurm’s next pass: {passesText(facts, calendar)}.</p>
      )}
      <FactList facts={rows} className="slurm-facts" />
    </section>
  );
}

const STATE_WORDS = { met: "met", open: "not yet", never: "can never be met" } as const;

interface DependenciesProps {
  readonly list: readonly DependencyFact[];
  readonly stage: Stage;
  /** What it depends on still matters. */
  readonly waits: boolean;
}

function Dependencies({ list, stage, waits }: DependenciesProps) {
  const anyOf = list.some((one) => one.anyOf);
  return (
    <section aria-label="Depends on">
      <header className="part-head">
        <h3>Depends on</h3>
        {anyOf && <span className="part-note">any one is enough</span>}
      </header>
      <ul className="depends">
        {list.map((one) => (
          <li key={`${one.kind} ${one.onJobIdx} ${one.singleton}`}>
            <button
              type="button"
              className="link"
              onClick={() => run("selectJob", { jobIdx: one.onJobIdx })}
            >
              {dependencyWords(one, nameOf(stage.jobs.ids, one.onJobIdx))}
            </button>
            {one.singleton && ` after ${nameOf(stage.jobs.ids, one.onJobIdx)}`}
            {waits && <span className="quiet"> {STATE_WORDS[one.state]}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
