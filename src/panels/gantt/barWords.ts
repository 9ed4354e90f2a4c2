/** Sentences about a bar: for the tooltip, and for those who hear the Gantt. */
import { clockNear, clockText, countText, durationText, numberText } from "../../base/format.ts";
import { END_STATES, MEMBER_STATES } from "../../model/states.ts";
import type { Stage } from "../../protocol/messages.ts";
import { endStateOf, memberStateOf } from "../../record/shapes.ts";
import { jobLabel } from "../../timeline/jobNames.ts";

export interface BarFacts {
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly bits: number;
  readonly device: number;
}

const END_WORDS: Readonly<Record<(typeof END_STATES)[number], string>> = {
  running: "",
  completed: "ran to its end",
  timeout: "stopped at its time limit",
  cancelled: "cancelled",
  requeued: "stopped and requeued, unsaved work lost",
  preempted: "preempted, unsaved work lost",
  nodeFailed: "its node failed, unsaved work lost",
  refused: "refused",
  failed: "ended with an error",
};

/** How the run of a bar ended, in words; empty while it goes on. */
function endWords(bits: number): string {
  return END_WORDS[END_STATES[endStateOf(bits)] ?? "running"];
}

export interface TipLines {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The tooltip of a bar; `barCount` bars share its pixel. */
export function tipOf(
  stage: Stage,
  bar: BarFacts,
  barCount: number,
  cursorMs: number,
  calendar: string | undefined,
): TipLines {
  const letter = stage.tiers[stage.jobs.at.tier[bar.jobIdx]!]?.letter ?? "";
  const devices = stage.jobs.at.gpuTotal[bar.jobIdx]!;
  const name = `${letter} ${jobLabel(stage.jobs, bar.jobIdx)}`;
  const open = !Number.isFinite(bar.endMs);
  const times = open
    ? `from ${clockText(bar.startMs, calendar)}, still running`
    : `${clockText(bar.startMs, calendar)} to ${clockNear(bar.endMs, bar.startMs, calendar)}, ${durationText(bar.endMs - bar.startMs)}`;
  const lines = [`${countText(devices, stage.cluster.deviceWord)} · ${times}`];
  const state = MEMBER_STATES[memberStateOf(bar.bits)];
  if (state !== undefined && state !== "running")
    lines.push(`Holds its ${stage.cluster.deviceWord}s without progress: ${state}.`);
  const ended = endWords(bar.bits);
  if (ended !== "" && bar.endMs <= cursorMs)
    lines.push(`${ended[0]!.toUpperCase()}${ended.slice(1)}.`);
  return barCount > 1
    ? { title: `${numberText(barCount)} jobs here; longest: ${name}`, lines }
    : { title: name, lines };
}

/** One sentence for the live region. */
export function spokenBar(
  stage: Stage,
  bar: BarFacts,
  nodeName: string,
  calendar: string | undefined,
): string {
  const { jobs } = stage;
  const tier = stage.tiers[jobs.at.tier[bar.jobIdx]!]?.name ?? "";
  const devices = countText(jobs.at.gpuTotal[bar.jobIdx]!, stage.cluster.deviceWord);
  const end = Number.isFinite(bar.endMs)
    ? `until ${clockNear(bar.endMs, bar.startMs, calendar)}`
    : "still running";
  const ended = endWords(bar.bits);
  return `Job ${jobLabel(jobs, bar.jobIdx)}, tier ${tier}, ${devices}, ${nodeName}, from ${clockText(bar.startMs, calendar)} ${end}${ended === "" ? "" : `, ${ended}`}`;
}
