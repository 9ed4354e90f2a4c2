/**
 * Single fields of `sacct` (sacct(1), "Job Accounting Fields"): times on the server's clock without a zone, durations, memory with the
 * suffixes of old and new versions, and lists of trackable resources. What is no value (`Unknown`, `None`, empty) is NaN.
 */
import { dayOfCivil } from "../base/civilDate.ts";

const DAY_SEC = 86_400;
const ZERO = 48;
const NINE = 57;

/** `YYYY-MM-DDTHH:MM:SS` as seconds since 1970 on its own clock; NaN for every other text. O(1). */
export function timeSec(bytes: Uint8Array, from: number, to: number): number {
  if (to - from !== 19 || bytes[from + 4] !== 45 || bytes[from + 10] !== 84) return Number.NaN;
  const year = digits(bytes, from, 4);
  const month = digits(bytes, from + 5, 2);
  const day = digits(bytes, from + 8, 2);
  const clock =
    digits(bytes, from + 11, 2) * 3_600 +
    digits(bytes, from + 14, 2) * 60 +
    digits(bytes, from + 17, 2);
  if (Number.isNaN(clock) || !(month >= 1 && month <= 12 && day >= 1 && day <= 31))
    return Number.NaN;
  return dayOfCivil({ year, month, day }) * DAY_SEC + clock;
}

function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const byte = bytes[at]!;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    value = value * 10 + (byte - ZERO);
  }
  return value;
}

/** A whole number; NaN where there is anything else. O(length). */
export function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  return to > from && to - from <= 15 ? digits(bytes, from, to - from) : Number.NaN;
}

/** `[D-]HH:MM:SS`, `[D-][HH:]MM:SS[.mmm]` in seconds; NaN for every other text. O(length). */
export function durationSec(text: string): number {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?$/.exec(text);
  if (match === null) return Number.NaN;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return days * DAY_SEC + hours * 3_600 + minutes * 60 + seconds;
}

/** `TimelimitRaw` in minutes, or `Timelimit` as a duration, in seconds. `UNLIMITED` is `Infinity`; NaN where none is told. */
export function limitSec(text: string): number {
  if (/^unlimited$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(text)) return Number(text) * 60;
  return durationSec(text);
}

const UNITS: Readonly<Record<string, number>> = {
  K: 1 / 1_024,
  M: 1,
  G: 1_024,
  T: 1_048_576,
  P: 1_073_741_824,
};

/** `64G`, `2800M`, `1.5T` in MiB; without a suffix it is MiB. NaN for every other text. */
function sizeMiB(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMGTP]?)$/i.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2]!.toUpperCase()] ?? 1);
}

/** `ReqMem` of a whole job in MiB: `2800Mc` per CPU, `550000Mn` per node (before 21.08), `64G` per node since. NaN: not told. */
export function reqMemMiB(text: string, nodes: number, cpus: number): number {
  const per = text.at(-1);
  if (per === "c") return sizeMiB(text.slice(0, -1)) * cpus;
  return sizeMiB(per === "n" ? text.slice(0, -1) : text) * nodes;
}

export interface Tres {
  readonly cpus: number;
  readonly nodes: number;
  readonly memMiB: number;
  readonly gpus: number;
}

/**
 * `billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=1`, in any order. `gres/gpu` is the total of which `gres/gpu:a100` is a
 * part; where only types are listed their sum is the total. What is not listed is 0. O(length).
 */
export function readTres(text: string): Tres {
  let cpus = 0;
  let nodes = 0;
  let memMiB = 0;
  let total = -1;
  let typed = 0;
  for (const part of text.split(",")) {
    const equals = part.lastIndexOf("=");
    const name = part.slice(0, equals);
    const value = part.slice(equals + 1);
    const amount = Number(value);
    if (name === "mem") memMiB = sizeMiB(value) || 0;
    else if (!Number.isFinite(amount)) continue;
    else if (name === "cpu") cpus = amount;
    else if (name === "node") nodes = amount;
    else if (name === "gres/gpu") total = amount;
    else if (name.startsWith("gres/gpu:")) typed += amount;
  }
  return { cpus, nodes, memMiB, gpus: total >= 0 ? total : typed };
}

/** GPUs in the older `ReqGRES` / `AllocGRES`, `gpu:a100:2` or `gres:gpu:2,…`: what each node gives. O(length). */
export function gresGpus(text: string): number {
  let gpus = 0;
  for (const part of text.split(",")) {
    const match = /^(?:gres[:/])?gpu(?:[:=][^:=(]*[^:=(\d][^:=(]*)?(?:[:=](\d+))?(?:\(.*\))?$/.exec(
      part,
    );
    if (match !== null) gpus += Number(match[1] ?? 1);
  }
  return gpus;
}

/** `4`, `1-4` (the least that a pending job takes), `1.5K`. NaN for every other text. */
export function countOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KM]?)(?:-.*)?$/.exec(text);
  if (match === null) return Number.NaN;
  return Math.round(Number(match[1]) * ({ K: 1_000, M: 1_000_000 }[match[2]!] ?? 1));
}

const STATES =
  /^(PENDING|RUNNING|SUSPENDED|COMPLETED|COMPLETING|FAILED|TIMEOUT|CANCELLED|NODE_FAIL|PREEMPTED|BOOT_FAIL|DEADLINE|OUT_OF_MEMORY|REQUEUED|RESIZING|REVOKED)/;

/** The state without what follows it (`CANCELLED by 1234`); empty where the text is none. */
export function stateOf(text: string): string {
  return STATES.exec(text)?.[1] ?? "";
}
