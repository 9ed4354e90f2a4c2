/** Which ids of jobs are taken: by a job of the run, or by an injection that is not staged yet. */
import type { Scenario } from "../../../scenario/schema.ts";
import { runData } from "../../../store/runData.ts";
import { jobIdxOfId } from "../../../timeline/jobNames.ts";

/** `own`: the id of the job that is edited, which it may keep. O(interventions), then O(1) to O(log jobs) a call. */
export function isTaken(scenario: Scenario, own?: string): (id: string) => boolean {
  const injected = new Set(
    scenario.interventions.map((change) => (change.kind === "inject" ? change.job.id : "")),
  );
  return (id) => {
    const { stage } = runData.get();
    if (id === own) return false;
    return injected.has(id) || (stage !== null && jobIdxOfId(stage.jobs.ids, id) >= 0);
  };
}
