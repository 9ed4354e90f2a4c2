/** `scontrol update jobid=…` as typed → an intervention: `TimeLimit=6:00:00 QOS=high`. Keys as in scontrol(1), in any case. */
import { err, ok } from "../../../base/result.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { type Value, wholeNumber } from "../../../scenario/slurm/values.ts";
import { beginOf, limitOf } from "./sbatchWords.ts";

type UpdateInput = Extract<InterventionInput, { kind: "update" }>;
type UpdatePart = Partial<UpdateInput>;
type Reader = (text: string) => Value<UpdatePart>;

export interface UpdateSite {
  readonly nowMs: number;
  readonly calendar: string | undefined;
  readonly tiers: readonly string[];
  readonly nodes: ReadonlySet<string>;
  /** The limit that `TimeLimit=+60` and `-60` count from; `Infinity` = none. */
  readonly limitMs: number;
  readonly hostsError: (text: string, nodes: ReadonlySet<string>) => string | null;
}

/** What the line does to the job at `site.nowMs`, or one sentence that says what is wrong with it. O(line). */
export function updateOf(line: string, job: string, site: UpdateSite): Value<InterventionInput> {
  const readers = readersOf(site);
  const words = line.trim().split(/\s+/);
  let merged: UpdatePart = {};
  for (const word of words) {
    const [, key = "", value = ""] = /^([A-Za-z]+)=(.+)$/.exec(word) ?? [];
    if (value === "") return err("Write Key=Value, such as TimeLimit=6:00:00.");
    if (key.toLowerCase() === "qos") {
      if (!site.tiers.includes(value)) return err(`There is no QOS ${value}.`);
      if (words.length > 1) return err("Change the QOS in a line of its own.");
      return ok({ kind: "retier", atMs: site.nowMs, job, tier: value });
    }
    const read = readers[key.toLowerCase()];
    if (read === undefined) return err(`${key} cannot be changed here. Keys: ${KEYS}.`);
    const part = read(value);
    if (!part.ok) return err(`${key}: ${part.error}`);
    merged = { ...merged, ...part.value, slurm: { ...merged.slurm, ...part.value.slurm } };
  }
  const { slurm, ...plain } = merged;
  const options = slurm !== undefined && Object.keys(slurm).length > 0 ? { slurm } : {};
  const note = `scontrol update jobid=${job} ${line.trim()}`;
  return ok({ kind: "update", atMs: site.nowMs, job, note, ...plain, ...options });
}

const KEYS =
  "TimeLimit, MinTime, QOS, Partition, Nice, Priority, StartTime, Features, ReqNodeList, ExcNodeList, ReservationName, ArrayTaskThrottle";
const MOST_PRIORITY = 4_294_967_293;
const MOST_TASKS = 1_000_000;
const MOST_NICE = 2_147_483_645;

function readersOf(site: UpdateSite): Readonly<Record<string, Reader>> {
  const hosts =
    (key: "nodelist" | "exclude"): Reader =>
    (text) => {
      const wrong = site.hostsError(text, site.nodes);
      return wrong === null ? ok({ slurm: { [key]: text } }) : err(wrong);
    };
  return {
    timelimit: (text) => map(changedLimit(text, site.limitMs), (limitMs) => ({ limitMs })),
    mintime: (text) => map(limitOf(text), (timeMinMs) => ({ slurm: { timeMinMs } })),
    nice: (text) => map(wholeNumber(text, -MOST_NICE, MOST_NICE), (nice) => ({ nice })),
    priority: (text) => map(wholeNumber(text, 0, MOST_PRIORITY), (priority) => ({ priority })),
    starttime: (text) =>
      map(beginOf(text, site.nowMs, site.calendar), (at) => ({ beginMs: Math.max(0, at) })),
    partition: (text) => ok({ slurm: { partitions: text.split(",") } }),
    features: (text) => ok({ slurm: { constraint: text } }),
    reqnodelist: hosts("nodelist"),
    excnodelist: hosts("exclude"),
    reservationname: (text) => ok({ slurm: { reservation: text } }),
    arraytaskthrottle: (text) =>
      map(wholeNumber(text, 0, MOST_TASKS), (most) => ({ slurm: { atOnce: most || MOST_TASKS } })),
  };
}

/** `2`, `00:05:00`, or `+2` and `-2` from the limit as it is; at least a minute. */
function changedLimit(text: string, fromMs: number): Value<number> {
  const sign = /^[+-]/.test(text) ? text[0] : "";
  const span = limitOf(text.slice(sign === "" ? 0 : 1));
  if (!span.ok || sign === "") return span;
  if (!Number.isFinite(fromMs)) return err("The job has no limit to count from.");
  return ok(Math.max(60_000, sign === "+" ? fromMs + span.value : fromMs - span.value));
}

function map<T>(value: Value<T>, part: (of: T) => UpdatePart): Value<UpdatePart> {
  return value.ok ? ok(part(value.value)) : value;
}
