/**
 * A document of many jobs that a script hands over is read in the worker, as a file is: checking a hundred thousand jobs takes a second, and even making text of them
 * more than a frame has.
 */

/** From so many jobs on; fewer are checked, and copied, in a frame. */
export const JOBS_MANY = 1_000;
/** Making text of so many takes a few milliseconds. */
const JOBS_A_TURN = 2_000;

interface Large {
  readonly workload: { readonly jobs: readonly unknown[] };
}

export function isLarge(what: object): what is Large {
  const { workload } = what as { workload?: { jobs?: unknown } | null };
  return Array.isArray(workload?.jobs) && workload.jobs.length > JOBS_MANY;
}

/** The document as JSON; made in turns. Rejects what is no JSON. */
export async function fileOfDocument(document: Large): Promise<Blob> {
  const { workload, ...rest } = document;
  const { jobs, ...others } = workload;
  const before = [opened(rest), '"workload":', opened(others), '"jobs":'];
  return new Blob([...before, await textOfJobs(jobs), "}}"]);
}

/** The list of jobs as JSON; made in turns, each of which also gives its text away: one blob of all of it would be a long turn again. */
export async function textOfJobs(jobs: readonly unknown[]): Promise<Blob> {
  const parts: Blob[] = [];
  for (let from = 0; from < jobs.length; from += JOBS_A_TURN) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve));
    const list = JSON.stringify(jobs.slice(from, from + JOBS_A_TURN));
    parts.push(new Blob([from > 0 ? "," : "", list.slice(1, -1)]));
  }
  return new Blob(["[", ...parts, "]"]);
}

/** The text of an object to which more will be added. */
function opened(object: object): string {
  const text = JSON.stringify(object).slice(0, -1);
  return text === "{" ? text : `${text},`;
}
