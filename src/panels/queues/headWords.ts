/**
 * The head of a queue in words: what is kept for it, who may pass it under the rule of backfill, and whose end it waits for. Under EASY (Lifka 1995) a
 * later job may start that ends by the head's start or leaves it what it needs then; the words say no more than that.
 */
import { clockNear, countText } from "../../base/format.ts";
import { LAB_BACKFILLS, type LabBackfill } from "../../model/policy.ts";
import { isCeiling } from "../../model/reasons.ts";
import { unitWords, type WhyContext, type WhyNumbers, waitWords } from "../../model/sentences.ts";

export type Passing = LabBackfill | "slurm" | "kueue";

export interface HeadWords {
  /** "kept for 11:05 on 2 nodes"; empty where nothing is kept. */
  readonly kept: string;
  /** "behind it passes who …". */
  readonly passing: string;
  /** "it waits for the end of train-12 (by limit 10:40) and train-40 (11:05)"; empty where no end brings it on. */
  readonly holders: string;
}

interface Rule {
  readonly passing: Passing;
  /** EASY: what the head will not need may be used beyond its start. */
  readonly extra: boolean;
}

type Context = Pick<
  WhyContext,
  "nowMs" | "calendarStart" | "deviceWord" | "devicesPerNode" | "jobLabel"
>;
type Head = Pick<
  WhyNumbers,
  "reason" | "plannedMs" | "plannedNodes" | "unit" | "unitsNeeded" | "unitsFree" | "gpusNeeded"
> & { readonly frees: readonly { readonly jobIdx: number; readonly atMs: number }[] };

const HOLDERS_MOST = 2;

/** The rule by which jobs pass others, from a policy's preset and settings. The schedulers of Kubernetes keep nothing for a head. */
export function ruleOf(preset: string, setting: (key: string) => unknown): Rule {
  const given = setting("backfill");
  const lab = LAB_BACKFILLS.find((one) => one === given) ?? "none";
  const own = preset === "slurm" || preset === "kueue" ? preset : "skip";
  return { passing: preset === "lab" ? lab : own, extra: setting("extra") !== false };
}

export function headWords(head: Head, rule: Rule, context: Context): HeadWords {
  const clock = (atMs: number) => clockNear(atMs, context.nowMs, context.calendarStart);
  const planned = Number.isFinite(head.plannedMs);
  const nodes = head.plannedNodes.length;
  const where = nodes === 0 ? "" : ` on ${countText(nodes, "node")}`;
  // No end of a run is what it waits for, and no node could be kept: it is passed over until its ceiling has room (docs/policies/walk.md).
  if (isCeiling(head.reason) && !planned)
    return {
      kept: "",
      passing: `${waitWords(head.reason)}, and nodes are kept only for who may start on them: who fits may pass`,
      holders: "",
    };
  return {
    kept: planned ? `kept for ${clock(head.plannedMs)}${where}` : "",
    passing: passingWords(head, rule, planned, clock, context),
    holders: holderWords(head, planned, clock, context),
  };
}

function passingWords(
  head: Head,
  { passing, extra }: Rule,
  planned: boolean,
  clock: (atMs: number) => string,
  context: Context,
): string {
  switch (passing) {
    case "none":
      return "nobody passes it: jobs start in order";
    case "skip":
      return "whoever fits may pass it: nothing is kept for it";
    case "easy": {
      if (!planned) return "nothing is kept for it: who fits may pass";
      const ends = `behind it may pass who ends by ${clock(head.plannedMs)}`;
      return extra
        ? `${ends}, or leaves it the ${unitWords(head.unitsNeeded, head, context)} that it needs then`
        : ends;
    }
    case "conservative":
      return "behind it may pass who delays no planned start";
    case "reservations":
      return "behind it may pass who delays none of the starts that are kept";
    case "kueue":
      return "nothing is kept for it: who has quota passes it, unless its queue is strict";
    case "slurm":
      return planned
        ? "backfill starts behind it who delays no planned start of higher priority"
        : "no start is planned for it yet";
  }
}

function holderWords(
  head: Head,
  planned: boolean,
  clock: (atMs: number) => string,
  { jobLabel }: Context,
): string {
  if (head.unitsFree >= head.unitsNeeded) return "";
  const frees = head.frees.filter(({ atMs }) => !planned || atMs <= head.plannedMs);
  if (frees.length === 0) return "";
  // The scheduler counts on limits; the bars beside these words end when the work is done.
  const firstLimit = frees.findIndex(({ atMs }) => Number.isFinite(atMs));
  const named = frees.slice(0, HOLDERS_MOST).map(({ jobIdx, atMs }, i) => {
    const end = Number.isFinite(atMs) ? clock(atMs) : "no limit";
    return `${jobLabel(jobIdx)} (${i === firstLimit ? "by limit " : ""}${end})`;
  });
  const more = frees.length - named.length;
  if (more > 0) named.push(countText(more, "more", "more"));
  const all = named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0]!;
  return `it waits for the end of ${all}`;
}
