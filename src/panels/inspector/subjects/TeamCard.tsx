/** One team at the cursor: what it uses of what is due to it and why it stands where it does, and its running and waiting jobs. */
import { useMemo } from "react";
import { countText, durationText, numberText } from "../../../base/format.ts";
import type { ShareRow } from "../../../model/lab/shares.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { poolShares } from "../../../store/explain.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { teamJobsAt } from "../../../timeline/teamJobs.ts";
import type { CardProps } from "../cardParts.tsx";
import { type Fact, FactList } from "../FactList.tsx";
import { isUnknown, NotComputed } from "../NotComputed.tsx";
import { JobLines } from "./JobLines.tsx";
import { bookLines, grantLines, standingWords } from "./teamWords.ts";

const JOBS_MOST = 12;

interface PoolRow {
  readonly pool: string;
  readonly row: ShareRow;
}

/** The team's books in every pool whose scheduler keeps some. */
async function booksOf(stage: Stage, team: number, atMs: number): Promise<readonly PoolRow[]> {
  const found: PoolRow[] = [];
  for (const [index, pool] of stage.poolIds.entries()) {
    for (const row of await poolShares(index, atMs))
      if (row.per === "team" && row.index === team) found.push({ pool, row });
  }
  return found;
}

export function TeamCard({
  stage,
  future,
  atMs,
  calendar,
  team,
}: CardProps & { readonly team: number }) {
  const info = stage.teams[team]!;
  const word = stage.cluster.deviceWord;
  const jobs = useMemo(
    () => teamJobsAt(future, stage.jobs.at.team, team, atMs),
    [future, stage, team, atMs],
  );
  const unknown = isUnknown(future, atMs);
  const subject = unknown ? "" : `${future.generation} team ${team}`;
  const answer = useAsked(subject, atMs, (at) => booksOf(stage, team, at));
  const books = answer.kind === "known" ? answer.value : [];
  const sum = (of: "gpusDue" | "gpusBorrowed" | "gpusLent"): number =>
    books.reduce((all, { row }) => all + (Number.isNaN(row[of]) ? 0 : row[of]), 0);
  const known = books.some(({ row }) => !Number.isNaN(row.gpusDue));
  const due = known ? sum("gpusDue") : (info.quotaGpus ?? Number.POSITIVE_INFINITY);
  const lead = standingWords(jobs.devicesHeld, due, sum("gpusBorrowed"), sum("gpusLent"), word);
  return (
    <article className="inspector-part" aria-label={`Team ${info.name}`}>
      <header className="who">
        <div className="who-text">
          <h2>{info.name}</h2>
          <p>
            team · {countText(jobs.running.length, "job")} running,{" "}
            {numberText(jobs.waiting.length)} waiting
          </p>
        </div>
      </header>
      {unknown ? (
        <NotComputed future={future} atMs={atMs} calendar={calendar} />
      ) : (
        <>
          <p className="why">
            <b>{lead}</b>
          </p>
          <div className="sr-only" role="status">
            {answer.kind === "known" && answer.now ? lead : ""}
          </div>
          <Lines title="What it may use" lines={grantLines(info, stage.teams, word)} />
          {books.map(({ pool, row }) => (
            <Lines
              key={`${pool} ${row.per}`}
              title={stage.poolIds.length > 1 ? `Books of pool ${pool}` : "As the scheduler counts"}
              lines={bookLines(row, word)}
            />
          ))}
          {answer.kind === "failed" && (
            <p className="part-error" role="alert">
              The books could not be read: {answer.message}
            </p>
          )}
          <Jobs
            title="Running"
            stage={stage}
            lines={jobs.running.map(({ jobIdx, devices }) => ({
              key: String(jobIdx),
              jobIdx,
              text: countText(devices, word),
            }))}
          />
          <Jobs
            title="Waiting"
            stage={stage}
            lines={jobs.waiting.map(({ jobIdx, fromMs }) => ({
              key: String(jobIdx),
              jobIdx,
              text: `${countText(stage.jobs.at.gpuTotal[jobIdx]!, word)}, for ${durationText(atMs - fromMs)}`,
            }))}
          />
        </>
      )}
    </article>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly Fact[];
}

function Lines({ title, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <FactList facts={lines} />
    </section>
  );
}

interface JobsProps {
  readonly title: string;
  readonly stage: Stage;
  readonly lines: Parameters<typeof JobLines>[0]["lines"];
}

function Jobs({ title, stage, lines }: JobsProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>
        {title} ({numberText(lines.length)})
      </h3>
      <JobLines label={title} stage={stage} lines={lines.slice(0, JOBS_MOST)} />
      {lines.length > JOBS_MOST && (
        <p className="quiet">and {numberText(lines.length - JOBS_MOST)} more</p>
      )}
    </>
  );
}
