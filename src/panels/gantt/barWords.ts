/** Sentences about a bar: for the tooltip, and for those who hear the Gantt. */
import { clockNear, clockText, durationText, numberText } from "../../base/format.ts";
import { END_STATES, MEMBER_STATES, type MemberState } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Stage } from "../../protocol/messages.ts";
import { endStateOf, memberStateOf, partOf } from "../../record/shapes.ts";
import { heldWords } from "../../timeline/heldDevices.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import type { LostWork } from "../../timeline/lostWork.ts";
import type { RunSizes } from "../../timeline/runSizes.ts";

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
  requeued: "stopped and requeued",
  preempted: "preempted",
  nodeFailed: "its node failed",
  refused: "refused",
  failed: "ended with an error",
};

/** What a run does that makes no progress, in a clause for the ear and a sentence for the eye. */
const STATE_WORDS: Readonly<Record<Exclude<MemberState, "running">, readonly [string, string]>> = {
  held: ["waits for members", "Held until enough members are there: no progress."],
  starting: ["starts up", "Starts up (image, containers): no progress yet."],
  checkpointing: ["saves its state", "Saves its state: no progress meanwhile."],
  suspended: ["suspended", "Suspended: no progress; others may use what it lends."],
  ending: ["told to end", "Told to end, and still here: no progress."],
  stalled: ["hangs", "Hangs: it has lost members and waits for them in vain."],
  restoring: ["restores its state", "Reads its state back or forms its group anew: no progress."],
};

function stateOf(bits: number): readonly [string, string] | null {
  const state = MEMBER_STATES[memberStateOf(bits)] ?? "running";
  return state === "running" ? null : STATE_WORDS[state];
}

/** When the work of a bar was lost; `Infinity` = it was not, or it is none. */
function lostMsOf(bar: BarFacts, lost: LostWork | undefined): number {
  if (!lost || stateOf(bar.bits) !== null) return Number.POSITIVE_INFINITY;
  return lost.lostAtMs(bar.jobIdx, bar.startMs);
}

/** "0.5 of a GPU", "3g.40gb from place 4"; empty for whole devices. */
function partWords(stage: Stage, bar: BarFacts): string {
  const part = partOf(bar.bits);
  if (part === 0) return "";
  if (part <= WHOLE_DEVICE)
    return `${numberText(part / WHOLE_DEVICE, 2)} of a ${stage.cluster.deviceWord}`;
  const { components, at, migProfiles } = stage.jobs;
  const profile = migProfiles?.[(components.mig[at.firstComponent[bar.jobIdx]!] ?? 0) - 1];
  return `MIG ${profile ?? "instance"} from place ${part - WHOLE_DEVICE - 1}`;
}

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
  lost?: LostWork,
  /** How its run ended, in words that the record of bars does not have. */
  endedBy = "",
  /** Whole devices that the job holds meanwhile, all its bars together; null: those that it asks for. */
  held: RunSizes | null = null,
): TipLines {
  const letter = stage.tiers[stage.jobs.at.tier[bar.jobIdx]!]?.letter ?? "";
  const devices = stage.jobs.at.gpuTotal[bar.jobIdx]!;
  const name = `${letter} ${jobLabel(stage.jobs, bar.jobIdx)}`;
  const open = !Number.isFinite(bar.endMs);
  const times = open
    ? `from ${clockText(bar.startMs, calendar)}, still running`
    : `${clockText(bar.startMs, calendar)} to ${clockNear(bar.endMs, bar.startMs, calendar)}, ${durationText(bar.endMs - bar.startMs)}`;
  const part = partWords(stage, bar);
  const size = part === "" ? heldWords(held, devices, stage.cluster.deviceWord) : part;
  const lines = [`${size} · ${times}`];
  const state = stateOf(bar.bits);
  if (state) lines.push(state[1]);
  const ended = endedBy || endWords(bar.bits);
  if (ended !== "" && bar.endMs <= cursorMs)
    lines.push(`${ended[0]!.toUpperCase()}${ended.slice(1)}.`);
  const lostMs = lostMsOf(bar, lost);
  if (lostMs <= cursorMs)
    lines.push(
      `Lost at ${clockNear(lostMs, bar.startMs, calendar)}: this work was not saved, or what was saved of it is gone.`,
    );
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
  lost?: LostWork,
  endedBy = "",
  held: RunSizes | null = null,
): string {
  const { jobs } = stage;
  const tier = stage.tiers[jobs.at.tier[bar.jobIdx]!]?.name ?? "";
  const devices = heldWords(held, jobs.at.gpuTotal[bar.jobIdx]!, stage.cluster.deviceWord);
  const end = Number.isFinite(bar.endMs)
    ? `until ${clockNear(bar.endMs, bar.startMs, calendar)}`
    : "still running";
  const ended = [
    partWords(stage, bar),
    stateOf(bar.bits)?.[0] ?? "",
    endedBy || endWords(bar.bits),
    Number.isFinite(lostMsOf(bar, lost)) ? "work lost" : "",
  ].filter((words) => words !== "");
  return `Job ${jobLabel(jobs, bar.jobIdx)}, tier ${tier}, ${devices}, ${nodeName}, from ${clockText(bar.startMs, calendar)} ${end}${ended.map((words) => `, ${words}`).join("")}`;
}
