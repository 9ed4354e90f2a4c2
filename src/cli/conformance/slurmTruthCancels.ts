/** Which jobs of a recording a line of `scancel` means: those named, or all that fit its filters (scancel(1)). */
import { SECOND_MS } from "../../model/units.ts";
import type { Recording } from "./slurmTruthFile.ts";
import { submitMsOf } from "./slurmTruthJobs.ts";

/** `idsOf`: names of the recording to ids of the document. Throws on an option that is not modelled. */
export function cancelledJobs(
  words: readonly string[],
  truth: Recording,
  atMs: number,
  idsOf: (names: string) => readonly string[],
): string[] {
  const named: string[] = [];
  const filters: ((job: Recording["jobs"][number]) => boolean)[] = [];
  let state = "";
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith("-")) {
      named.push(...idsOf(word));
      continue;
    }
    const [key, value = ""] = word.startsWith("--")
      ? word.split("=")
      : [word.slice(0, 2), word.slice(2) || words[++at]];
    const filter = FILTERS[key!];
    // Signals that end a job; its state is the same.
    if (/^(?:-s|--signal)$/.test(key!) && /^(?:SIG)?(?:TERM|KILL|INT)$|^(?:2|9|15)$/.test(value))
      continue;
    if (key === "-t" || key === "--state") state = value.toUpperCase();
    else if (filter !== undefined) filters.push((job) => filter(job) === value);
    else throw new Error(`its option ${word} is not modelled`);
  }
  const submitted = truth.jobs.filter((job) => submitMsOf(truth, job) <= atMs);
  const all = named.length === 0 && (filters.length > 0 || state !== "") ? submitted : [];
  const fitting = all.filter((job) => filters.every((fits) => fits(job)));
  const jobs = [...named, ...fitting.flatMap((job) => idsOf(job.id))];
  return jobs.filter((job) => state === "" || stateAt(truth, job, atMs) === state);
}

const FILTERS: Readonly<Record<string, (job: Recording["jobs"][number]) => unknown>> = {
  "-u": (job) => job.user,
  "--user": (job) => job.user,
  "-A": (job) => job.account,
  "--account": (job) => job.account,
  "-q": (job) => job.qos,
  "--qos": (job) => job.qos,
  "-p": (job) => job.partition,
  "--partition": (job) => job.partition,
  "-n": (job) => job.jobName ?? job.id,
  "--name": (job) => job.jobName ?? job.id,
  "--jobname": (job) => job.jobName ?? job.id,
};

/** `PENDING`, or `RUNNING` where the recording shows a run at that moment. */
function stateAt(truth: Recording, job: string, atMs: number): string {
  const sec = atMs / SECOND_MS;
  const runs = truth.results[job]?.segments ?? [];
  const running = runs.some(
    (run) =>
      typeof run.startSec === "number" &&
      run.startSec <= sec &&
      (typeof run.endSec !== "number" || sec <= run.endSec + 1),
  );
  return running ? "RUNNING" : "PENDING";
}
