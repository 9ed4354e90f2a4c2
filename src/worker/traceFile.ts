/** A dropped log: read, with the scenario that is suggested for it, or what keeps it from being read. A file of its own, because most visits open none. */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { noteSentences } from "../formats/foreign.ts";
import { readForeign } from "../formats/registry.ts";
import { LIMITS } from "../model/limits.ts";
import type { TraceOutcome } from "../protocol/messages.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { largestOf, suggestScenario } from "../workload/suggest.ts";
import { sha256Hex } from "./hash.ts";

export interface ReadTrace {
  readonly workload: ParsedWorkload;
  readonly outcome: Extract<TraceOutcome, { kind: "read" }>;
}

/** O(bytes). Problems name the file. */
export async function readTraceFile(
  name: string,
  file: Blob,
): Promise<Result<ReadTrace, Problem[]>> {
  if (file.size > LIMITS.traceBytes) return err([tooLarge(name)]);
  const content = new Uint8Array(await file.arrayBuffer());
  const read = readForeign(content, name);
  if (!read.ok) return err(read.error);
  const { workload } = read.value;
  if (workload.count === 0) return err([noJobs(name, workload)]);
  const sha256 = await sha256Hex(content);
  const suggestion = suggestScenario({ name, sha256, bytes: file.size }, workload);
  const outcome: ReadTrace["outcome"] = {
    kind: "read",
    name,
    sha256,
    bytes: content.length,
    format: workload.format,
    jobs: workload.count,
    largest: largestOf(workload),
    users: workload.users.filter((user) => user !== ""),
    notes: [...workload.warnings, suggestion.how, ...rowNotes(workload)],
    suggested: suggestion.scenario,
  };
  return ok({ workload, outcome });
}

/** Everything a reader did not take as it stood: what the file does not say, rows left out, rows noted. */
export function importNotes(parsed: ParsedWorkload): readonly string[] {
  return [...parsed.warnings, ...rowNotes(parsed)];
}

function rowNotes(parsed: ParsedWorkload): readonly string[] {
  return [
    ...noteSentences(parsed.skipped).map((sentence) => `Left out: ${sentence}`),
    ...noteSentences(parsed.noted),
  ];
}

function tooLarge(name: string): Problem {
  return {
    place: name,
    message: `The file is larger than ${LIMITS.traceBytes / 2 ** 20} MiB.`,
    remedy: "Take a part of the trace.",
  };
}

function noJobs(name: string, parsed: ParsedWorkload): Problem {
  const reasons = noteSentences(parsed.skipped).join(" ");
  return {
    place: name,
    message: `No row of the file describes a job that can run. ${reasons}`.trim(),
    remedy: "Check that this is a workload log, not a list of something else.",
  };
}
