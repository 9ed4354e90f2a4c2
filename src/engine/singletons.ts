/**
 * Jobs of one name and user of which some run only one at a time (`--dependency=singleton`): such a job waits until every earlier one
 * of its group has ended. Edges alone would need one for each pair; here a group is a list in order of arrival, and a pointer
 * to its first job that is not done. The groups follow from the edges that are flagged as singleton, which may skip what
 * other edges lead to.
 */
import type { JobTable } from "../model/jobs.ts";
import { JobStateCode } from "../model/states.ts";

interface Group {
  readonly jobs: Int32Array;
  /** Place of the first job that is not done. */
  first: number;
}

export class Singletons {
  readonly #groupOf = new Map<number, Group>();
  readonly #placeOf = new Map<number, number>();
  /** Jobs that wait for their group. */
  readonly #waiters = new Set<number>();
  readonly #jobState: Uint8Array;

  /** O(edges · log). */
  constructor(jobs: JobTable, jobState: Uint8Array) {
    this.#jobState = jobState;
    const parent = new Map<number, number>();
    const rootOf = (job: number): number => {
      let root = job;
      for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root))
        root = up;
      parent.set(job, root);
      return root;
    };
    for (const edge of jobs.dependencies) {
      if (!edge.singleton) continue;
      this.#waiters.add(edge.jobIdx);
      parent.set(rootOf(edge.onJobIdx), rootOf(edge.jobIdx));
    }
    const members = new Map<number, number[]>();
    for (const job of parent.keys()) {
      const root = rootOf(job);
      const list = members.get(root);
      if (list) list.push(job);
      else members.set(root, [job]);
    }
    const { submitMs } = jobs.at;
    for (const list of members.values()) {
      list.sort((a, b) => submitMs[a]! - submitMs[b]! || a - b);
      const group: Group = { jobs: Int32Array.from(list), first: 0 };
      list.forEach((job, place) => {
        this.#groupOf.set(job, group);
        this.#placeOf.set(job, place);
      });
    }
  }

  /** Whether the job has to wait for an earlier one of its group. O(1). */
  waits(jobIdx: number): boolean {
    return (
      this.#waiters.has(jobIdx) && this.#placeOf.get(jobIdx)! > this.#groupOf.get(jobIdx)!.first
    );
  }

  /** A job is done. Returns the one whose wait for its group is over by that; −1 if none. O(1) over all jobs of a group. */
  ended(jobIdx: number): number {
    const group = this.#groupOf.get(jobIdx);
    if (group === undefined || !this.#advance(group)) return -1;
    const next = group.jobs[group.first] ?? -1;
    return this.#waiters.has(next) ? next : -1;
  }

  /** Finds the pointers anew from the states of the jobs. O(jobs in groups). */
  restore(): void {
    for (const group of this.#groupOf.values()) this.#advance(group);
  }

  #advance(group: Group): boolean {
    const before = group.first;
    while (
      group.first < group.jobs.length &&
      this.#jobState[group.jobs[group.first]!] === JobStateCode.done
    )
      group.first++;
    return group.first > before;
  }
}
