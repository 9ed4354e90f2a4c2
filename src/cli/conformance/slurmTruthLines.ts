/** A recording beside our run, job by job, for people who look for the cause of a difference. */
import { SECOND_MS } from "../../model/units.ts";
import type { Recording, TruthSegment } from "./slurmTruthFile.ts";
import { idsOf } from "./slurmTruthJobs.ts";
import type { OurJob, OurOutcome, OurRun } from "./slurmTruthRun.ts";

/** Commands, then every job as recorded and as it came. */
export function timelineLines(truth: Recording, ours: OurOutcome): string[] {
  const lines = truth.jobs.flatMap((job) => {
    const asked = Object.entries(job).filter(([key]) => key !== "id");
    const head = `${job.id}  ${asked.map(([key, value]) => `${key}=${String(value)}`).join(" ")}`;
    return [head, ...idsOf(job).flatMap((id) => linesOf(truth, id, ours.jobs.get(id)))];
  });
  const commands = (truth.commands ?? []).map(({ atSec, cmd }) => `at ${atSec}: ${cmd}`);
  return [...commands, ...lines].map((line) => `    ${line}`);
}

function linesOf(truth: Recording, id: string, our: OurJob | undefined): string[] {
  const result = truth.results[id];
  const recorded = (result?.segments ?? []).map(segmentWords);
  const came = (our?.runs ?? []).map(runWords);
  const reasons = (result?.pendingReasons ?? []).map(
    (one) => `${one.reason.replaceAll("_", " ")} ${one.fromSec}–${one.toSec}`,
  );
  const ourReasons = (our?.reasons ?? []).map(
    (one) => `${one.reason} ${sec(one.fromMs)}–${sec(one.toMs)}`,
  );
  const refused = our?.refused ? [`refused: ${our.refused}`] : [];
  const lines = [
    `  ${id} recorded ${[...recorded, ...(result ? [] : ["no result"])].join(" | ") || "no run"}`,
    `  ${id} came     ${[...came, ...refused].join(" | ") || "no run"}`,
  ];
  if (reasons.length + ourReasons.length > 0) {
    lines.push(`  ${id} recorded reasons ${reasons.join(", ") || "none"}`);
    lines.push(`  ${id} came     reasons ${ourReasons.join(", ") || "none"}`);
  }
  return lines;
}

function segmentWords(segment: TruthSegment): string {
  const start = `${segment.startSec}/${segment.startSecRunB}`;
  const end = `${segment.endSec}/${segment.endSecRunB}`;
  const gpus = Object.entries(segment.gpuIdx ?? {}).map(([node, list]) => `${node}:${list}`);
  const where = gpus.length > 0 ? gpus.join(" ") : (segment.nodes ?? []).join(" ");
  return `${start}–${end} ${segment.endState} ${segment.partition} ${where}`;
}

function runWords(run: OurRun): string {
  const where = [...run.gpuIdx].map(([node, list]) => `${node}:${list}`).join(" ");
  const times = `${sec(run.startMs)}–${sec(run.endMs)}`;
  const suspensions = run.suspensions.map(([from, to]) => ` suspended ${sec(from)}–${sec(to)}`);
  return `${times} ${run.endState} ${run.partition} ${where}${suspensions.join("")}`;
}

const sec = (ms: number): string => String(Math.round(ms / 10) / (SECOND_MS / 10));
