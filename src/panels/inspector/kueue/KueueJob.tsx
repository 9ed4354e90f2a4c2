/** A job where Kueue admits: admission, placement and eviction as layers, with its queue, flavor and place. */
import { jobFacts } from "../../../store/explain.ts";
import { useAsked } from "../../../store/useAsked.ts";
import type { JobMoment } from "../../../timeline/jobStory.ts";
import { FactList } from "../FactList.tsx";
import { workloadLines } from "./kueueJobWords.ts";
import "./kueueJob.css";

const SYSTEMS = { kueue: "Kueue", volcano: "Volcano", kai: "KAI" };

interface KueueJobProps {
  readonly generation: number;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly moment: JobMoment;
}

export function KueueJob({ generation, jobIdx, atMs, calendar, moment }: KueueJobProps) {
  const over = moment.kind === "done" || moment.kind === "unsubmitted";
  const subject = over ? "" : `${generation} ${jobIdx}`;
  const answer = useAsked(subject, atMs, (at) => jobFacts(jobIdx, at));
  const facts = answer.kind === "known" ? (answer.value?.kueue ?? null) : null;
  if (over || facts === null) return null;
  return (
    <section
      className="kueue-facts"
      aria-label={`In ${SYSTEMS[facts.system ?? "kueue"]}’s words`}
      data-stage={facts.stage}
    >
      <FactList facts={workloadLines(facts, { atMs, calendar })} />
    </section>
  );
}
