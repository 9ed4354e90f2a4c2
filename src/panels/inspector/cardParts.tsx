/** What the parts of a job's card share: what they are given, and the sentence at the head. */
import type { Sentence } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Future } from "../../store/runData.ts";
import type { JobStory } from "../../timeline/jobStory.ts";

export interface CardProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly atMs: number;
  readonly calendar: string | undefined;
}

export interface PartProps extends CardProps {
  readonly jobIdx: number;
  readonly tier: number;
  readonly story: JobStory;
  /** Its pool is under Slurm at this time. */
  readonly slurm: boolean;
  readonly limitMs: number;
}

export function Lead({ lead, rest }: Sentence) {
  return (
    <p className="why">
      <b>{lead}</b>
      {rest !== "" && ` ${rest}`}
    </p>
  );
}
