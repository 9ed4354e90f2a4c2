/**
 * Wishes of the document about the order of jobs, resolved to edges between single jobs. Edges that touch injected jobs stand behind all others, in the
 * order of the injections, so that an edge keeps its number when a job is injected later.
 */
import type { Problem } from "../base/problem.ts";
import type { Dependency, JobTable } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import type { FindJobs } from "./changes.ts";
import type { JobDraft, PendingDependency } from "./jobDraft.ts";
import { tooManyDependencies, unknownJob } from "./problems.ts";

/** O(edges log edges). Arrays that wait for each other multiply; past the limit none are made and that is a problem. */
export function dependencyEdges(
  draft: JobDraft,
  jobs: Pick<JobTable, "at" | "users">,
  jobOfDraft: Uint32Array,
  injectedFrom: number,
  findJobs: FindJobs,
  problems: Problem[],
): Dependency[] {
  const edges: Dependency[] = [];
  const full = (count: number, place: string): boolean => {
    if (edges.length + count <= LIMITS.dependencies) return false;
    problems.push(tooManyDependencies(place));
    return true;
  };
  for (const wish of draft.dependencies) {
    const found = jobsWaitedFor(draft, wish, findJobs);
    if (found === null) problems.push(unknownJob(wish.onId, wish.place));
    if (full(found?.length ?? 0, wish.place)) return [];
    for (const onJobIdx of found ?? []) {
      edges.push({
        jobIdx: jobOfDraft[wish.jobDraft]!,
        onJobIdx,
        kind: wish.kind,
        delayMs: wish.kind === "after" ? wish.delayMs : 0,
        anyOf: wish.anyOf,
        singleton: false,
      });
    }
  }
  const singletons = singletonEdges(draft, jobs, jobOfDraft);
  if (full(singletons.length, "/workload/jobs")) return [];
  for (const edge of singletons) edges.push(edge);
  return injectedLast(edges, injectedFrom);
}

/**
 * Jobs of an id; of an array that is waited for task by task, the task of the same number; of a job in stages the first for its start, else the last.
 * Null where nobody has the id.
 */
function jobsWaitedFor(
  draft: JobDraft,
  wish: PendingDependency,
  findJobs: FindJobs,
): readonly number[] | null {
  if (wish.eachId !== null && draft.arrays.has(wish.onId)) return findJobs(wish.eachId);
  const found = findJobs(wish.onId);
  if (draft.chains.has(wish.onId))
    return wish.kind === "after" ? found.slice(0, 1) : found.slice(-1);
  return found.length === 0 ? null : found;
}

/**
 * A singleton waits for the last one before it of its name and user, and for what came between the two: through the former it waits
 * for all that came before (`engine/singletons.ts`), so there is about one edge a job.
 */
function singletonEdges(
  draft: JobDraft,
  jobs: Pick<JobTable, "at" | "users">,
  jobOfDraft: Uint32Array,
): Dependency[] {
  if (draft.singletons.size === 0) return [];
  const groups = new Map<string, number[]>();
  for (const [row, name] of draft.commonNames) {
    const jobIdx = jobOfDraft[row]!;
    const key = `${jobs.at.user[jobIdx]} ${name}`;
    const group = groups.get(key);
    if (group) group.push(jobIdx);
    else groups.set(key, [jobIdx]);
  }
  const waiters = new Set([...draft.singletons].map((row) => jobOfDraft[row]!));
  const edges: Dependency[] = [];
  const { submitMs } = jobs.at;
  for (const group of groups.values()) {
    group.sort((a, b) => submitMs[a]! - submitMs[b]! || a - b);
    let from = 0;
    group.forEach((jobIdx, place) => {
      if (!waiters.has(jobIdx)) return;
      for (const onJobIdx of group.slice(from, place))
        edges.push({
          jobIdx,
          onJobIdx,
          kind: "afterAny",
          delayMs: 0,
          anyOf: false,
          singleton: true,
        });
      from = place;
    });
  }
  return edges;
}

/** Injected jobs have the highest numbers, in the order of the document. */
function injectedLast(edges: Dependency[], injectedFrom: number): Dependency[] {
  const rank = (edge: Dependency) => {
    const last = Math.max(edge.jobIdx, edge.onJobIdx);
    return last >= injectedFrom ? last : -1;
  };
  return edges.sort((a, b) => rank(a) - rank(b));
}
