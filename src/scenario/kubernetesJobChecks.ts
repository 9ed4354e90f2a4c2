/** Checks what a job asks of the Kubernetes family against its members: a least number that could never hold would be dropped without a word. O(components). */
import type { Report } from "./report.ts";
import type { JobEntry } from "./schema.ts";

const FIELDS = ["minMember", "minCount"] as const;

/** Reports a least number above the members, or below those without which nothing of the job progresses. */
export function checkKubernetesJob(
  {
    kubernetes,
    components,
    gang,
    elastic,
  }: Pick<JobEntry, "kubernetes" | "components" | "gang" | "elastic">,
  place: string,
  report: Report,
): void {
  if (kubernetes === undefined || components === undefined || elastic !== undefined) return;
  let members = 0;
  let least = 0;
  for (const component of components) {
    members += component.members;
    least += component.minMembers ?? component.members;
  }
  for (const field of FIELDS) {
    const given = kubernetes[field];
    if (given === undefined) continue;
    const at = `${place}/kubernetes/${field}`;
    if (given > members)
      report(at, `The job has ${members} members; ${field} is ${given}.`, "Make it at most that.");
    // Pods that are no gang are bound one by one, whatever else a group would need.
    else if (given < least && (gang || field === "minCount"))
      report(
        at,
        `${field} is ${given}, but nothing of the job progresses with fewer than ${least} members.`,
        "Give its components minMembers that add up to no more.",
      );
  }
}
