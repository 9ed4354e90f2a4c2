/**
 * One job at the cursor: who it is, one sentence why it is where it is, and the evidence in a fixed order. What is recorded shows
 * at once; what the scheduler must be asked for comes a moment later and never changes the order of the card.
 */
import { lazy, Suspense, useMemo } from "react";
import { clockNear, durationText, NBSP } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { slurmReasonOf } from "../../model/reasons.ts";
import {
  type Sentence,
  sentenceText,
  shortWhy,
  startWords,
  whyWaiting,
} from "../../model/sentences.ts";
import { END_STATES } from "../../model/states.ts";
import { stopWords } from "../../model/stopWords.ts";
import type { Stage } from "../../protocol/messages.ts";
import { commandOf, run } from "../../store/commands.ts";
import { useLabRun } from "../../store/recordHas.ts";
import { hasDependencies, isBareAt, isQueuedAt, isSlurmAt } from "../../store/slurmPools.ts";
import { useApp } from "../../store/store.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import {
  type JobMoment,
  jobStoryOf,
  momentOf,
  reasonAt,
  refusalOf,
  type StoryRun,
} from "../../timeline/jobStory.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { type CardProps, Lead, type PartProps } from "./cardParts.tsx";
import { FreesList } from "./FreesList.tsx";
import { JobActions } from "./JobActions.tsx";
import {
  actualWords,
  isAboutDevices,
  jobLine,
  limitAt,
  sliceRule,
  submittedLimit,
  whyContext,
} from "./jobWords.ts";
import { isUnknown, NotComputed } from "./NotComputed.tsx";
import { PromiseChart } from "./PromiseChart.tsx";
import { RunningPart } from "./RunningPart.tsx";
import { RunsTable } from "./RunsTable.tsx";
import { SuggestButton } from "./SuggestButton.tsx";
import { betweenWords } from "./story/betweenWords.ts";
import { UnitMeter } from "./UnitMeter.tsx";
import { useExplanation } from "./useExplanation.ts";
import { useMeaning } from "./useMeaning.ts";

const SlurmActions = lazy(async () => ({
  default: (await import("./slurm/SlurmActions.tsx")).SlurmActions,
}));
const LabJob = lazy(async () => ({ default: (await import("./lab/LabJob.tsx")).LabJob }));
const KueueJob = lazy(async () => ({ default: (await import("./kueue/KueueJob.tsx")).KueueJob }));
const PlacementJob = lazy(async () => ({
  default: (await import("./placement/PlacementJob.tsx")).PlacementJob,
}));
const JobMore = lazy(async () => ({ default: (await import("./story/JobMore.tsx")).JobMore }));
const WhatIf = lazy(async () => ({ default: (await import("./whatIf/WhatIf.tsx")).WhatIf }));
const SlurmJob = lazy(async () => ({ default: (await import("./slurm/SlurmJob.tsx")).SlurmJob }));

export function JobCard(props: CardProps & { readonly jobIdx: number; readonly tier: number }) {
  const { stage, future, atMs, calendar, jobIdx, tier } = props;
  const story = useMemo(() => jobStoryOf(future, jobIdx), [future, jobIdx]);
  const moment = momentOf(story, atMs, stage.jobs.at.submitMs[jobIdx]!);
  const label = jobLabel(stage.jobs, jobIdx);
  const pool = stage.poolOfJob[jobIdx]!;
  const slurm = useApp((state) => isSlurmAt(state.scenario, pool, atMs));
  const bare = useApp((state) => isBareAt(state.scenario, pool, atMs));
  const queued = useApp((state) => isQueuedAt(state.scenario, pool, atMs));
  const lab = useLabRun();
  const depends = useApp((state) => hasDependencies(state.scenario));
  const limitMs = useApp((state) =>
    limitAt(state.scenario, nameOf(stage.jobs.ids, jobIdx), submittedLimit(stage, jobIdx), atMs),
  );
  return (
    <article className="inspector-part" aria-label={`Job ${label}`}>
      <header className="who">
        <LetterMark
          letter={stage.tiers[tier]?.letter ?? "?"}
          tier={tier}
          tierCount={stage.tiers.length}
          size="large"
        />
        <div className="who-text">
          <h2>{label}</h2>
          <p>
            {stage.tiers[tier]?.name} · {jobLine(stage, jobIdx, limitMs, stage.teams.length < 2)}
            {stage.teams.length > 1 && <TeamLink stage={stage} jobIdx={jobIdx} />}
          </p>
        </div>
        <Button
          label="Show the whole job in the Gantt"
          className="who-fit"
          onClick={() => run("fitSelection")}
        >
          {commandOf("fitSelection")?.keys?.[0] ?? "fit"}
        </Button>
      </header>
      <MomentPart {...props} story={story} moment={moment} slurm={slurm} limitMs={limitMs} />
      {moment.kind !== "waiting" && <SuggestButton />}
      {(slurm || depends) && !isUnknown(future, atMs) && (
        <Suspense fallback={null}>
          <SlurmJob
            stage={stage}
            generation={future.generation}
            jobIdx={jobIdx}
            atMs={atMs}
            calendar={calendar}
            story={story}
            moment={moment}
            slurm={slurm}
          />
        </Suspense>
      )}
      {queued && !isUnknown(future, atMs) && (
        <Suspense fallback={null}>
          <KueueJob generation={future.generation} {...{ jobIdx, atMs, calendar, moment }} />
        </Suspense>
      )}
      {bare && !isUnknown(future, atMs) && (
        <Suspense fallback={null}>
          <PlacementJob
            generation={future.generation}
            {...{ stage, jobIdx, atMs, story, moment }}
          />
        </Suspense>
      )}
      {!slurm && lab && !isUnknown(future, atMs) && (
        <Suspense fallback={null}>
          <LabJob {...{ stage, future, jobIdx, atMs, calendar, story, moment }} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <JobMore
          {...{ stage, future, jobIdx, atMs, calendar, story, moment, slurm }}
          unknown={isUnknown(future, atMs)}
        />
      </Suspense>
      {slurm && (
        <Suspense fallback={null}>
          <SlurmActions {...{ stage, jobIdx, atMs, story, moment }} />
        </Suspense>
      )}
      <JobActions
        slurm={slurm}
        stage={stage}
        jobIdx={jobIdx}
        tier={tier}
        over={moment.kind === "done"}
        running={moment.kind === "running"}
        label={label}
      />
    </article>
  );
}

/** Whose it is, where there are several teams: a team has a card of its own. */
function TeamLink({ stage, jobIdx }: { readonly stage: Stage; readonly jobIdx: number }) {
  const team = stage.jobs.at.team[jobIdx]!;
  const name = stage.teams[team]?.name;
  if (!name) return null;
  return (
    <>
      {" "}
      <span className="who-team">
        {`·${NBSP}`}
        <button type="button" className="link" onClick={() => run("selectTeam", { team })}>
          team {name}
        </button>
      </span>
    </>
  );
}

function MomentPart(props: PartProps & { readonly moment: JobMoment }) {
  const { moment, stage, jobIdx, calendar, atMs, future } = props;
  if (isUnknown(future, atMs) && moment.kind !== "unsubmitted")
    return <NotComputed future={future} atMs={atMs} calendar={calendar} />;
  switch (moment.kind) {
    case "unsubmitted": {
      const submitMs = stage.jobs.at.submitMs[jobIdx]!;
      return (
        <Lead
          lead={`Not submitted yet: it comes in ${durationText(submitMs - atMs)}, at ${clockNear(submitMs, atMs, calendar)}.`}
          rest=""
        />
      );
    }
    case "waiting":
      return <WaitingPart {...props} fromMs={moment.fromMs} startMs={moment.startMs} />;
    case "running":
      return <RunningPart {...props} run={moment.run} />;
    case "between":
      return <Lead {...betweenWords(props.story, atMs)} />;
    case "done":
      return <DonePart {...props} last={moment.run} />;
  }
}

function WaitingPart(props: PartProps & { readonly fromMs: number; readonly startMs: number }) {
  const { stage, future, story, jobIdx, atMs, calendar, fromMs, startMs } = props;
  // While playing the waited time changes all the time: the live region keeps still until the cursor rests.
  const playing = useApp((state) => state.playing);
  const waitKey = `${future.generation} ${jobIdx} ${fromMs}`;
  const answer = useExplanation({ jobIdx, atMs, generation: future.generation }, waitKey);
  const meaningOf = useMeaning(props.slurm);
  const partRule = useApp(({ scenario }) => sliceRule(scenario, stage, jobIdx, atMs));
  const context = {
    ...whyContext(stage, jobIdx, atMs, atMs - fromMs, calendar),
    ...(partRule === undefined ? {} : { partRule }),
    meaningOf,
  };
  const known = answer.kind === "known" ? answer.explanation : null;
  const sentence = known
    ? whyWaiting(known, context)
    : shortWhy(reasonAt(story, atMs), atMs - fromMs, meaningOf);
  return (
    <>
      <Lead {...sentence} />
      <div className="sr-only" role="status">
        {known && !playing ? sentenceText(sentence) : ""}
      </div>
      <SuggestButton />
      {answer.kind === "asking" && <p className="part-note">Counting what is free …</p>}
      {answer.kind === "failed" && (
        <p className="part-error" role="alert">
          The numbers behind this could not be computed: {answer.message}
        </p>
      )}
      {known && isAboutDevices(known.reason) && (
        <>
          <UnitMeter why={known} context={context} />
          <FreesList stage={stage} future={future} why={known} context={context} />
        </>
      )}
      <PromiseChart
        story={story}
        atMs={atMs}
        submitMs={fromMs}
        startMs={startMs}
        calendar={calendar}
      />
      <p className="quiet">{actualWords(startMs, future, calendar, atMs)}</p>
      <Suspense fallback={null}>
        <WhatIf {...props} />
      </Suspense>
    </>
  );
}

function DonePart(props: PartProps & { readonly last: StoryRun | null }) {
  const { stage, future, story, jobIdx, atMs, calendar, last, slurm } = props;
  const meaningOf = useMeaning(slurm);
  const refusal = slurmReasonOf(refusalOf(story));
  const refused = last?.run === 0 && refusal !== null;
  const turnedAway = last?.run === 0 && refusal === null;
  const question = turnedAway ? { jobIdx, atMs, generation: future.generation } : null;
  const answer = useExplanation(question, `${future.generation} ${jobIdx} refused`);
  const why = answer.kind === "known" ? answer.explanation : null;
  const { lead, rest } = doneWords(last, atMs, calendar);
  return (
    <>
      {refused ? (
        <Lead
          lead={`Refused at ${clockNear(last.endMs, atMs, calendar)}: ${refusal}.`}
          rest={meaningOf?.(refusal) ?? ""}
        />
      ) : (
        <Lead
          lead={lead}
          rest={why ? whyWaiting(why, whyContext(stage, jobIdx, atMs, 0, calendar)).lead : rest}
        />
      )}
      {story.runs.length > 0 && <RunsTable {...props} word={stage.cluster.deviceWord} />}
    </>
  );
}

function doneWords(last: StoryRun | null, atMs: number, calendar: string | undefined): Sentence {
  if (!last) return { lead: "Never ran.", rest: "It left the queue before it could start." };
  const state = END_STATES[last.endState] ?? "completed";
  if (last.run === 0) {
    return {
      lead: `Left without running at ${clockNear(last.endMs, atMs, calendar)}: ${state === "refused" ? "refused" : stopWords(last.stopReason)}.`,
      rest: "",
    };
  }
  return {
    lead: `Ended at ${clockNear(last.endMs, atMs, calendar)}: ${stopWords(last.stopReason)}.`,
    rest: `Its last run took ${durationText(last.endMs - last.startMs)}. ${startWords(last.startReason)}`,
  };
}
