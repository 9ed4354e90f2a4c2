/** Which ids of jobs are taken: by a job of the run, or by an injection that is not staged yet. */
import type { Scenario } from "../../../scenario/schema.ts";
import { runData } from "../../../store/runData.ts";
import { jobIdxOfId } from "../../../timeline/jobNames.ts";

/** O(interventions), then O(1) to O(log jobs) a call. */
export function isTaken(scenario: Scenario): (id: string) => boolean {
  const injected = new Set(
    scenario.interventions.map((change) => (change.kind === "inject" ? change.job.id : "")),
  );
  return (id) => {
    const { stage } = runData.get();
    return injected.has(id) || (stage !== null && jobIdxOfId(stage.jobs.ids, id) >= 0);
  };
}
