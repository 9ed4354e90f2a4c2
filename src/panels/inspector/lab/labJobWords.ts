/** Lines of the card of a job in the policy lab, from what its scheduler says, what the document says of its life, and the record. Each line is a name and a value. */
import { clockNear, countText, durationText, NBSP, numberText } from "../../../base/format.ts";
import type { JobFacts } from "../../../engine/jobFacts.ts";
import type { Elastic, JobLife } from "../../../model/lab/jobLife.ts";
import { batchCut } from "../../../model/lab/microBatch.ts";
import type { LabJobFacts } from "../../../model/lab/shares.ts";
import { DecisionKindCode } from "../../../record/shapes.ts";
import type { JobMoment, JobStory } from "../../../timeline/jobStory.ts";

export type FactLine = readonly [name: string, value: string];

export interface LineContext {
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly deviceWord: string;
  readonly story: JobStory;
  readonly moment: JobMoment;
  /** What the order of the queue goes by, where that is a number that says something; else null. */
  readonly orderLabel: string | null;
  /** Devices held now, and devices of one member. */
  readonly heldDevices: number;
  readonly memberDevices: number;
  /** Members of its first component. */
  readonly membersAsked: number;
  /** Device-hours held so far in all its runs; 0 where they are not counted. */
  readonly heldHours: number;
  /** A replica of a service: what it has served cannot be lost. */
  readonly replica: boolean;
}

const ONE_Q16 = 65_536;
const PROMISE_SLACK_MS = 1_000;

/** Everything that is known, in a fixed order. */
export function factLines(facts: JobFacts, context: LineContext): FactLine[] {
  const { lab, life, run } = facts;
  return [
    ...(lab ? queueLines(lab, context) : []),
    ...promiseLines(lab, context),
    ...(run && run.speedQ16 > 0 && run.speedQ16 !== ONE_Q16
      ? [speedLine(run.speedQ16, run.slowedBy)]
      : []),
    ...(life ? lifeLines(facts, life, context) : []),
    ...(lab ? pastLines(lab, context) : []),
  ];
}

function queueLines(
  lab: LabJobFacts,
  { atMs, calendar, moment, orderLabel }: LineContext,
): FactLine[] {
  if (lab.position > 0) {
    const lines: FactLine[] = [
      ["In the queue", `${numberText(lab.position)} of ${numberText(lab.waitingCount)}`],
    ];
    if (orderLabel !== null && Number.isFinite(lab.priority))
      lines.push([`Order: ${orderLabel}`, compactText(lab.priority)]);
    return lines;
  }
  if (moment.kind !== "running" || !Number.isFinite(lab.estimatedEndMs)) return [];
  return [["Planned to end", clockNear(lab.estimatedEndMs, atMs, calendar)]];
}

/** Large numbers (times, keys) without digits that say nothing. */
function compactText(value: number): string {
  if (Number.isInteger(value)) return numberText(value);
  return numberText(value, Math.abs(value) < 10 ? 3 : 1);
}

/** The start promised first, and whether it was kept or has slipped. */
function promiseLines(lab: LabJobFacts | null, context: LineContext): FactLine[] {
  const { atMs, calendar, story, moment } = context;
  const promises = story.decisions.filter(
    ({ kind, atMs: madeMs }) => kind === DecisionKindCode.plan && madeMs <= atMs,
  );
  const firstMs = Number.isFinite(lab?.firstPromiseMs ?? Number.POSITIVE_INFINITY)
    ? lab!.firstPromiseMs
    : (promises[0]?.value ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(firstMs)) return [];
  const first = clockNear(firstMs, atMs, calendar);
  const startMs = story.runs[0]?.startMs;
  if (moment.kind !== "waiting" && startMs !== undefined && startMs <= atMs) {
    const lateMs = startMs - firstMs;
    if (Math.abs(lateMs) <= PROMISE_SLACK_MS) return [["Promised first", `${first}, kept`]];
    const by = durationText(Math.abs(lateMs));
    return [["Promised first", `${first}, ${lateMs < 0 ? `started ${by} earlier` : `${by} late`}`]];
  }
  const nowMs = promises.at(-1)?.value ?? lab?.promiseMs ?? Number.POSITIVE_INFINITY;
  if (!Number.isFinite(nowMs) || Math.abs(nowMs - firstMs) <= PROMISE_SLACK_MS)
    return [["Promised start", `${first}, as at first`]];
  const by = durationText(Math.abs(nowMs - firstMs));
  return [
    [
      "Promised start",
      `${clockNear(nowMs, atMs, calendar)}, ${by} ${nowMs > firstMs ? "later" : "earlier"} than at first`,
    ],
  ];
}

const SLOWED_WORDS: Readonly<Record<string, string>> = {
  size: "it has fewer or more members than it was made for",
  model: "the model of its devices",
  numa: "data from a remote NUMA domain",
  nic: "the network cards of its nodes",
  uplink: "a full uplink of a leaf",
};

function speedLine(speedQ16: number, slowedBy: string | null): FactLine {
  const percent = `${numberText((100 * speedQ16) / ONE_Q16)}${NBSP}%`;
  if (speedQ16 > ONE_Q16)
    return ["Speed", `${percent} of the speed it was made for: more members, or faster ones`];
  const part = `${percent} of its full speed`;
  return ["Speed", slowedBy ? `${part}: ${SLOWED_WORDS[slowedBy] ?? slowedBy}` : part];
}

function lifeLines(
  { lab, unsavedMs = 0, restartsLeft = -1 }: JobFacts,
  life: JobLife,
  context: LineContext,
): FactLine[] {
  const { atMs, calendar, moment } = context;
  const lines: FactLine[] = [];
  const running = moment.kind === "running";
  if (life.startupMs > 0) lines.push(["Starts up for", durationText(life.startupMs)]);
  if (life.checkpoint) lines.push(...checkpointLines(life.checkpoint, context));
  if (running && !context.replica) lines.push(["A stop now loses", lossText(unsavedMs)]);
  if (life.elastic) {
    // Outside the lab nobody makes members beyond those that a job asks for.
    const most = lab === null ? context.membersAsked : life.elastic.maxMembers;
    const { minMembers } = life.elastic;
    const maxMembers = Math.min(most, life.elastic.maxMembers);
    const allowed = life.elastic.allowed.filter((size) => size <= maxMembers);
    const now = Math.round(context.heldDevices / Math.max(1, context.memberDevices));
    if (running) lines.push(["Members now", numberText(now)]);
    const sizes = allowed.map((size) => numberText(size)).join(", ");
    lines.push([
      "Runs with",
      allowed.length > 0 && allowed.length <= 8
        ? `${sizes} members`
        : `${numberText(minMembers)} to ${countText(maxMembers, "member")}`,
    ]);
    if (life.elastic.deepspeed)
      lines.push(batchLine(life.elastic.deepspeed, life.elastic, running ? now : 0, context));
    lines.push(...changeLines(life.elastic));
    const { maxRestarts } = life.elastic;
    if (running && restartsLeft >= 0 && maxRestarts > 0 && maxRestarts < RESTARTS_MOST)
      lines.push([
        "Restarts left",
        `${numberText(restartsLeft)} of ${numberText(maxRestarts)} in this run`,
      ]);
  }
  if (Number.isFinite(life.deadlineMs))
    lines.push(["Deadline", deadlineText(life.deadlineMs, lab, atMs, calendar)]);
  if (life.bid > 0)
    lines.push(["Bid", `${numberText(life.bid, 2)} credits a ${context.deviceWord}-hour`]);
  if (life.session) {
    const { activeMs, idleTimeoutMs } = life.session;
    const idle = `ended after ${durationText(idleTimeoutMs)} idle`;
    lines.push(["Session", `active for ${durationText(activeMs)}, ${idle}`]);
  }
  return lines;
}

/** DeepSpeed's batch of a step, and how the members that work now cut it; 0 = none do. Members beyond an allowed number are in reserve. */
function batchLine(
  deepspeed: NonNullable<Elastic["deepspeed"]>,
  { allowed }: Elastic,
  members: number,
  { memberDevices, deviceWord }: LineContext,
): FactLine {
  const gpus = (allowed.findLast((size) => size <= members) ?? 0) * Math.max(1, memberDevices);
  const cut = batchCut(deepspeed, deepspeed.microBatches, gpus);
  const batch = `${numberText(deepspeed.batch)} samples`;
  if (cut === null) return ["DeepSpeed’s batch", batch];
  const { microBatch, accumulation } = cut;
  const on = countText(gpus, deviceWord);
  const steps = `gradient accumulation ${numberText(accumulation)}`;
  return [
    "DeepSpeed’s batch",
    `${batch} on ${on}: micro-batch ${numberText(microBatch)}, ${steps}`,
  ];
}

/** What it costs when members come or go, and how often it may lose some. */
function changeLines({ restart, rendezvousMs, maxRestarts }: Elastic): FactLine[] {
  const pause = rendezvousMs > 0 ? `${durationText(rendezvousMs)} pause` : "no pause";
  if (restart === "none") return [["A change of members", "costs nothing"]];
  if (restart === "horovod") return [["A change of members", `${pause}, no work lost (Horovod)`]];
  const lines: FactLine[] = [
    ["A change of members", `${pause}, all go on from what is saved (torchrun)`],
  ];
  if (maxRestarts < RESTARTS_MOST)
    lines.push([
      "Fails at",
      maxRestarts === 0
        ? "the first loss of members"
        : `loss of members ${numberText(maxRestarts + 1)}: ${countText(maxRestarts, "restart")} in all`,
    ]);
  return lines;
}

/** What a document that says nothing means: never too many. */
const RESTARTS_MOST = 1_000_000;

function checkpointLines(
  checkpoint: NonNullable<JobLife["checkpoint"]>,
  { atMs, calendar, story }: LineContext,
): FactLine[] {
  const { everyMs, sizeGiB, costMs, location, restoreMs, onSignal } = checkpoint;
  const takes = sizeGiB > 0 ? `${numberText(sizeGiB)} GiB` : durationText(costMs);
  const often = Number.isFinite(everyMs) ? `every ${durationText(everyMs)}, ${takes}` : takes;
  const where = location === "shared" ? "to the shared filesystem" : "on its own nodes";
  const lines: FactLine[] = [
    ["Saves its state", `${often}, ${where}${onSignal ? ", and when told to end" : ""}`],
  ];
  const last = story.decisions.findLast(
    ({ kind, atMs: atDecisionMs }) =>
      atDecisionMs <= atMs &&
      (kind === DecisionKindCode.saved || kind === DecisionKindCode.unsaved),
  );
  const saved = last?.kind === DecisionKindCode.saved;
  lines.push([
    "Last saved",
    saved
      ? `${clockNear(last.atMs, atMs, calendar)}, ${durationText(atMs - last.atMs)} ago`
      : last
        ? "lost"
        : "nothing yet",
  ]);
  if (restoreMs > 0) lines.push(["Reads it back in", durationText(restoreMs)]);
  return lines;
}

function lossText(unsavedMs: number): string {
  return unsavedMs < 1 ? "nothing" : `${durationText(unsavedMs)} of work`;
}

function deadlineText(
  deadlineMs: number,
  lab: LabJobFacts | null,
  atMs: number,
  calendar: string | undefined,
): string {
  const clock = clockNear(deadlineMs, atMs, calendar);
  const endMs = lab?.estimatedEndMs ?? Number.NaN;
  if (!Number.isFinite(endMs))
    return deadlineMs >= atMs
      ? `${clock}, in ${durationText(deadlineMs - atMs)}`
      : `${clock}, ${durationText(atMs - deadlineMs)} ago`;
  const slackMs = deadlineMs - endMs;
  return slackMs >= 0
    ? `${clock}, ${durationText(slackMs)} to spare`
    : `${clock}, ${durationText(-slackMs)} too late as planned`;
}

function pastLines(lab: LabJobFacts, { deviceWord, heldHours }: LineContext): FactLine[] {
  const lines: FactLine[] = [];
  if (lab.evictions > 0) lines.push(["Stopped so far", countText(lab.evictions, "time")]);
  if (heldHours > 0) lines.push([`${deviceWord}-hours so far`, numberText(heldHours, 1)]);
  return lines;
}
