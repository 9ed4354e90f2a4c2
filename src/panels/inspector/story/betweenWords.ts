/** What is said of a job that neither waits nor runs, but will: between two runs, or, where it has not run, held back (a replica that its service does not want yet). O(runs). */
import type { Sentence } from "../../../model/sentences.ts";
import type { JobStory } from "../../../timeline/jobStory.ts";

export function betweenWords({ runs }: Pick<JobStory, "runs">, atMs: number): Sentence {
  const ran = runs.some(({ endMs }) => endMs <= atMs);
  return {
    lead: ran ? "Between two runs." : "Held back: it has not run yet.",
    rest: "It is neither waiting nor running at this moment.",
  };
}
