/** What the card of a job has below its sentence and evidence, in a fixed order. */
import type { Stage } from "../../../protocol/messages.ts";
import { policyAt } from "../../../scenario/policyAt.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { presetOf } from "../../../scenario/settings.ts";
import { jobFacts } from "../../../store/explain.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { useAsked } from "../../../store/useAsked.ts";
import type { JobMoment, JobStory } from "../../../timeline/jobStory.ts";
import { budgetWords } from "./budgetWords.ts";
import { CandidateFunnel } from "./CandidateFunnel.tsx";
import { clientWords } from "./clientWords.ts";
import { descheduledWords } from "./descheduledWords.ts";
import { JobCostPart } from "./JobCost.tsx";
import { LabTerms } from "./LabTerms.tsx";
import { Verdicts } from "./Verdicts.tsx";
import "../slurm/slurmJob.css";
import "./story.css";

interface JobMoreProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly story: JobStory;
  readonly moment: JobMoment;
  readonly slurm: boolean;
  /** The record does not reach so far. */
  readonly unknown: boolean;
}

export function JobMore(props: JobMoreProps) {
  const { stage, future, jobIdx, atMs, calendar, story, moment, slurm, unknown } = props;
  const waits = moment.kind === "waiting" && !unknown;
  const descheduled = unknown ? null : descheduledWords(stage, future, story, atMs, calendar);
  return (
    <>
      {descheduled !== null && <p className="quiet">{descheduled}</p>}
      {moment.kind === "running" && !unknown && <Budgets {...props} />}
      {!unknown && <ClientView {...props} />}
      {waits && !slurm && <Terms {...props} />}
      {waits && (
        <CandidateFunnel stage={stage} generation={future.generation} jobIdx={jobIdx} atMs={atMs} />
      )}
      {moment.kind !== "unsubmitted" && !unknown && (
        <JobCostPart stage={stage} story={story} atMs={atMs} />
      )}
      <Verdicts stage={stage} story={story} atMs={atMs} calendar={calendar} />
    </>
  );
}

/** Where the document has disruption budgets: what they mean for the job. */
function Budgets({ stage, future, jobIdx, atMs, calendar }: JobMoreProps) {
  const pool = stage.poolIds[stage.poolOfJob[jobIdx]!] ?? "";
  const given = useApp(({ scenario }) =>
    scenario ? (policyAt(scenario, pool, atMs).yaml ?? "").includes("PodDisruptionBudget") : false,
  );
  const subject = given ? `${future.generation} ${jobIdx}` : "";
  const answer = useAsked(subject, atMs, (at) => jobFacts(jobIdx, at));
  const facts = answer.kind === "known" ? answer.value?.budgets : null;
  return facts ? <p className="quiet">{budgetWords(facts, atMs, calendar)}</p> : null;
}

/** Under presets whose news take time: what somebody who only watches sees. */
function ClientView({ stage, jobIdx, atMs, story }: JobMoreProps) {
  const pool = stage.poolIds[stage.poolOfJob[jobIdx]!] ?? "";
  const delayMs = useApp(({ scenario }) => (scenario ? watchDelayMs(scenario, pool, atMs) : 0));
  const words = clientWords(story, atMs, stage.jobs.at.submitMs[jobIdx]!, delayMs);
  return words === null ? null : <p className="quiet">{words}</p>;
}

/** 0 where the policy of the pool knows no watch delay. O(interventions). */
function watchDelayMs(scenario: Scenario, pool: string, atMs: number): number {
  const { preset, settings } = policyAt(scenario, pool, atMs);
  const spec = presetOf(preset)?.settings.find(({ key }) => key === "watchDelayMs");
  return spec === undefined ? 0 : Number(settings["watchDelayMs"] ?? spec.standard);
}

/** Orders of the lab that compute a priority from several things. */
const COMPUTED: ReadonlySet<unknown> = new Set([
  "multifactor",
  "fairShare",
  "fairTree",
  "leastUsage",
  "drf",
  "maxMin",
]);

function Terms({ stage, future, jobIdx, atMs }: JobMoreProps) {
  const pool = stage.poolIds[stage.poolOfJob[jobIdx]!] ?? "";
  const computed = useApp(({ scenario }) =>
    scenario ? COMPUTED.has(policyAt(scenario, pool, atMs).settings["order"]) : false,
  );
  const subject = computed ? `${future.generation} ${jobIdx}` : "";
  const answer = useAsked(subject, atMs, (at) => jobFacts(jobIdx, at));
  const lab = answer.kind === "known" ? answer.value?.lab : null;
  return lab ? <LabTerms facts={lab} /> : null;
}
