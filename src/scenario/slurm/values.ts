/**
 * The values of Slurm's files: numbers, times, TRES lists, switches. Each reader gives the value or one sentence that says what
 * would be right. Times come out in milliseconds; formats as in slurm.conf(5) and sbatch(1).
 */
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import type { TresAmounts } from "../../model/slurm/config.ts";

export type Value<T> = Result<T, string>;

const ENDLESS = new Set(["infinite", "unlimited", "-1"]);
/** Largest number that a field of Slurm holds (64 bits, below the exact range of a double). */
const MOST = 2 ** 53 - 1;
/** From here on a bound is not worth its digits. */
const FAR = 2 ** 36;

/** Whether a value says that there is no bound. */
export function isEndless(text: string): boolean {
  return ENDLESS.has(text.toLowerCase());
}

/** A whole number from `least` to `most`. */
export function wholeNumber(text: string, least: number, most: number): Value<number> {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return ok(value);
  return err(`Use a whole number from ${least}${most >= FAR ? " up" : ` to ${most}`}.`);
}

/** A number that need not be whole, from `least` up. */
export function decimal(text: string, least: number): Value<number> {
  const value = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= MOST) return ok(value);
  return err(`Use a number from ${least} up, such as 1 or 0.5.`);
}

/** `yes`, `no` and their like. */
export function yesNo(text: string): Value<boolean> {
  const word = text.toLowerCase();
  if (["yes", "y", "true", "t", "1", "on", "up"].includes(word)) return ok(true);
  if (["no", "n", "false", "f", "0", "off", "down"].includes(word)) return ok(false);
  return err("Use YES or NO.");
}

const TIME_HELP =
  "Use minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes, days-hours:minutes:seconds or UNLIMITED.";

/** A time in Slurm's notation; a bare number is minutes. Milliseconds; `Infinity` for UNLIMITED. */
export function timeMs(text: string): Value<number> {
  if (isEndless(text)) return ok(Number.POSITIVE_INFINITY);
  const withDays = /^(\d{1,6})-(\d{1,6})(?::(\d{1,6}))?(?::(\d{1,6}))?$/.exec(text);
  if (withDays !== null) {
    const [, days, hours, minutes = "0", seconds = "0"] = withDays;
    return ok(milliseconds(Number(days), Number(hours), Number(minutes), Number(seconds)));
  }
  const plain = /^(\d{1,10})(?::(\d{1,6}))?(?::(\d{1,6}))?$/.exec(text);
  if (plain === null) return err(TIME_HELP);
  const [, first, second, third] = plain;
  if (third !== undefined) return ok(milliseconds(0, Number(first), Number(second), Number(third)));
  return ok(milliseconds(0, 0, Number(first), Number(second ?? "0")));
}

/** A time that Slurm keeps in minutes: seconds are rounded up to the next minute. */
export function timeInMinutesMs(text: string): Value<number> {
  const read = timeMs(text);
  if (!read.ok || read.value === Number.POSITIVE_INFINITY) return read;
  return ok(Math.ceil(read.value / 60_000) * 60_000);
}

function milliseconds(days: number, hours: number, minutes: number, seconds: number): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}

/** Memory in MiB: a number of MiB, or with one of the suffixes K, M, G, T. */
export function memoryMiB(text: string): Value<number> {
  const match = /^(\d{1,15})([kmgt]?)b?$/i.exec(text);
  if (match === null) return err("Use a number of MiB, or a number with K, M, G or T.");
  const amount = Number(match[1]);
  switch (match[2]?.toLowerCase()) {
    case "k":
      return ok(Math.ceil(amount / 1_024));
    case "g":
      return ok(amount * 1_024);
    case "t":
      return ok(amount * 1_024 * 1_024);
    default:
      return ok(amount);
  }
}

/** A list of names between commas; blanks around them and empty entries are left out. */
export function nameList(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** How TRES are written in `TRESBillingWeights` and in limits: `CPU` → `cpu`, `Mem` → `mem`, `GRES/gpu` → `gres/gpu`. */
function tresName(text: string): string {
  const [kind = "", ...rest] = text.split("/");
  const lower = kind.toLowerCase();
  const head = lower === "memory" ? "mem" : lower === "nodes" ? "node" : lower;
  return rest.length === 0 ? head : `${head}/${rest.join("/")}`;
}

/**
 * `cpu=4,mem=10G,gres/gpu=8`. `weights`: numbers may be fractions and a suffix divides (`Mem=0.25G` is 0.25 for each GiB);
 * otherwise they are whole amounts, and an amount of −1 takes the entry away.
 */
export function tresAmounts(text: string, weights: boolean): Value<TresAmounts> {
  const amounts: Record<string, number> = {};
  for (const entry of nameList(text)) {
    const at = entry.lastIndexOf("=");
    const name = tresName(entry.slice(0, at).trim());
    const value = entry.slice(at + 1).trim();
    if (at <= 0 || !/^[a-z]+(\/[\w.:-]+)?$/.test(name)) {
      return err(`"${entry}" is no TRES with an amount; write for example cpu=4,gres/gpu=8.`);
    }
    const amount = weights ? tresWeight(name, value) : tresAmount(name, value);
    if (!amount.ok) return err(`"${entry}": ${amount.error}`);
    amounts[name] = amount.value;
  }
  return ok(amounts);
}

function tresAmount(name: string, text: string): Value<number> {
  if (text === "-1") return ok(Number.POSITIVE_INFINITY);
  return name === "mem" ? memoryMiB(text) : wholeNumber(text, 0, MOST);
}

const UNIT_MIB: Readonly<Record<string, number>> = { k: 1 / 1_024, m: 1, g: 1_024, t: 1_048_576 };

function tresWeight(name: string, text: string): Value<number> {
  const match = /^([\d.]+(?:e[+-]?\d{1,3})?)([kmgt]?)$/i.exec(text);
  if (match === null) return err("Use a number, with K, M, G or T where it holds for that much.");
  const read = decimal(match[1]!, 0);
  if (!read.ok) return read;
  const unit = UNIT_MIB[match[2]!.toLowerCase()];
  return ok(name === "mem" && unit !== undefined ? read.value / unit : read.value);
}
