/** A job under kube-scheduler or Ray in that system's words: the states that its own tools would show. */
import type { Stage } from "../../../protocol/messages.ts";
import { jobFacts } from "../../../store/explain.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { holdingsAt, type JobMoment, type JobStory } from "../../../timeline/jobStory.ts";
import { FactList } from "../FactList.tsx";
import { placementLines } from "./placementJobWords.ts";

const SYSTEMS = { "kube-scheduler": "Kubernetes", ray: "Ray" };

interface PlacementJobProps {
  readonly stage: Stage;
  readonly generation: number;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly story: JobStory;
  readonly moment: JobMoment;
}

export function PlacementJob(props: PlacementJobProps) {
  const { stage, generation, jobIdx, atMs, story, moment } = props;
  const over = moment.kind === "done" || moment.kind === "unsubmitted";
  const subject = over ? "" : `${generation} ${jobIdx}`;
  const answer = useAsked(subject, atMs, (at) => jobFacts(jobIdx, at));
  const facts = answer.kind === "known" ? (answer.value?.placement ?? null) : null;
  if (over || facts === null) return null;
  const lines = placementLines(facts, holdingsAt(story, atMs), stage.cluster.nodeNames);
  return (
    <section aria-label={`In ${SYSTEMS[facts.system]}’s words`}>
      <FactList facts={lines} />
    </section>
  );
}
