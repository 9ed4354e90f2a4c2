/**
 * Values of options as sbatch(1) and scontrol(1) take them: times, `--begin`, `--dependency`, GPUs with a type, ranges of nodes.
 * Each reader gives the value or one sentence that says what would be right. Milliseconds.
 */
import { readCivil } from "../../../base/civilDate.ts";
import type { Result } from "../../../base/result.ts";
import { err, ok } from "../../../base/result.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { timeInMinutesMs, type Value, wholeNumber } from "../../../scenario/slurm/values.ts";

type InjectedJob = Extract<InterventionInput, { kind: "inject" }>["job"];
export type AfterEntry = NonNullable<InjectedJob["after"]>[number];

export interface Dependencies {
  readonly after: readonly AfterEntry[];
  readonly anyOf: boolean;
  readonly singleton: boolean;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const KINDS: Readonly<Record<string, NonNullable<AfterEntry["kind"]>>> = {
  after: "after",
  afterok: "afterOk",
  afternotok: "afterNotOk",
  afterany: "afterAny",
  aftercorr: "afterOk",
};

/** A time limit: Slurm's notation, seconds rounded up to a minute as Slurm keeps limits. */
export function limitOf(text: string): Value<number> {
  const read = timeInMinutesMs(text.trim());
  if (!read.ok) return read;
  if (read.value === 0 || !Number.isFinite(read.value))
    return err("Give a time, or none for the partition’s DefaultTime.");
  return read;
}

/**
 * `--begin`: `now+2hours`, `now+60` (seconds), `16:00`, `2026-03-04T16:00`; a clock time that has passed is tomorrow's. `nowMs` and the
 * result are times of the run.
 */
export function beginOf(text: string, nowMs: number, calendar: string | undefined): Value<number> {
  const wanted = text.trim();
  const later = /^now(?:\+(\d{1,9})\s*(second|minute|hour|day|week)?s?)?$/i.exec(wanted);
  if (later !== null)
    return ok(nowMs + Number(later[1] ?? 0) * UNITS[later[2]?.toLowerCase() ?? "second"]!);
  const start = calendar === undefined ? null : readCivil(calendar);
  const clock = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(wanted);
  if (clock !== null && Number(clock[1]) < 24 && Number(clock[2]) < 60) {
    const ofDayMs =
      ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3] ?? 0)) * 1_000;
    const zeroMs = start?.ofDayMs ?? 0;
    const todayMs = Math.floor((nowMs + zeroMs) / DAY_MS) * DAY_MS - zeroMs + ofDayMs;
    return ok(todayMs >= nowMs ? todayMs : todayMs + DAY_MS);
  }
  const date = readCivil(/T\d\d:\d\d$/.test(wanted) ? `${wanted}:00` : wanted);
  if (date !== null && start === null)
    return err("This run has no calendar: use now+2hours or 16:00.");
  if (date !== null && start !== null)
    return ok((date.dayNumber - start.dayNumber) * DAY_MS + date.ofDayMs - start.ofDayMs);
  return err("Use now+2hours, 16:00 or 2026-03-04T16:00.");
}

/** `afterok:12:13,after:14+5`, `singleton`; `?` instead of the comma: one is enough. `known` says whether there is such a job. */
export function dependenciesOf(text: string, known: (id: string) => boolean): Value<Dependencies> {
  const anyOf = text.includes("?");
  if (anyOf && text.includes(","))
    return err("Use commas (all) or question marks (any), not both.");
  const after: AfterEntry[] = [];
  let singleton = false;
  for (const part of text.split(anyOf ? "?" : ",").map((one) => one.trim())) {
    if (part.toLowerCase() === "singleton") {
      singleton = true;
      continue;
    }
    const [word = "", ...jobs] = part.split(":");
    const kind = KINDS[word.toLowerCase()];
    if (kind === undefined || jobs.length === 0)
      return err("Write afterok:JOBID, afterany:, afternotok:, after:JOBID+MINUTES or singleton.");
    for (const one of jobs) {
      const [, job = one, minutes] = /^(.+)\+(\d{1,6})$/.exec(one) ?? [];
      if (!known(job)) return err(`There is no job ${job}.`);
      after.push({
        job,
        kind,
        ...(kind === "after" && minutes ? { delayMs: Number(minutes) * 60_000 } : {}),
        ...(word.toLowerCase() === "aftercorr" ? { each: true } : {}),
      });
    }
  }
  return ok({ after, anyOf, singleton });
}

/** `8`, `h100:8`. */
export function gpusOf(
  text: string,
  most: number,
): Result<{ type: string; count: number }, string> {
  const [, type = "", count = ""] = /^(?:([\w.-]+):)?(\d+)$/.exec(text.trim()) ?? [];
  const number = wholeNumber(count, 1, most);
  if (!number.ok) return err("Write a number, or type:number.");
  return ok({ type, count: number.value });
}

/** `4`, `2-4`. */
export function nodesOf(
  text: string,
  most: number,
): Result<{ least: number; most: number }, string> {
  const [, low = "", high = low] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  const least = wholeNumber(low, 1, most);
  const greatest = wholeNumber(high, 1, most);
  if (!least.ok || !greatest.ok || greatest.value < least.value)
    return err(`Write a number of nodes up to ${most}, or least-most.`);
  return ok({ least: least.value, most: greatest.value });
}
