/**
 * A maximum run time under the policy of the case's own run: each job longer than that comes as chunks, each a new submission when the last has
 * ended. The expected starts are those of the first chunks.
 */
import type { FieldCase, FieldJob } from "../fieldCaseFile.ts";
import { scheduleOf } from "../fieldCaseRun.ts";
import { MINUTE_MS } from "../fieldCaseScenario.ts";
import { numberIn, type Statement, side, textOf } from "./statement.ts";

export function chunkedJobs(one: FieldCase): Statement[] {
  const expected = side(one, "expected");
  const words = textOf(expected["policy"]);
  const hours = numberIn(words, /(\d+) h maximum/);
  const [run] = one.runs ?? [];
  const jobs = one.scenario.jobs ?? [];
  const starts = expected["starts"] as Readonly<Record<string, unknown>> | undefined;
  if (hours === undefined || !/chunk/.test(words) || run === undefined || !starts) return [];
  const cut = jobs.flatMap((job) => chunksOf(job, hours * 60));
  const { role, label, policy } = run;
  const { rows } = scheduleOf(one, { role, label, policy, variant_jobs: cut });
  return Object.entries(starts).map(([name, said]) => {
    const first = rows.find(({ jobId }) => jobId === name);
    const came = first === undefined ? "never" : first.startMs / MINUTE_MS;
    return { name, expected: Number(said), came };
  });
}

function chunksOf(job: FieldJob, most: number): FieldJob[] {
  const count = Math.ceil(job.runtime / most);
  return Array.from({ length: count }, (_, at) => {
    const runtime = Math.min(most, job.runtime - at * most);
    const { id, limit, after, ...rest } = job;
    const before = at === 0 ? after : at === 1 ? id : `${id}/${at}`;
    return {
      ...rest,
      id: at === 0 ? id : `${id}/${at + 1}`,
      runtime,
      limit: Math.min(most, limit ?? most),
      ...(before === undefined ? {} : { after: before }),
    };
  });
}
