/** Small texts of Slurm that recordings hold: times, lists, `key=value` words, moments such as `{T+60}` and `now+30`. */
import { MINUTE_MS, SECOND_MS } from "../../model/units.ts";

/** `minutes`, `minutes:seconds`, `hours:minutes:seconds`, `days-hours[:minutes[:seconds]]` (sbatch(1), `--time`) → ms. */
export function slurmTimeMs(text: string): number {
  const match = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not a time of Slurm`);
  const [days, first, second, third] = match.slice(1).map((part) => Number(part ?? 0));
  const withDays = match[1] !== undefined;
  const hours = withDays || match[4] !== undefined ? first! : 0;
  const minutes = withDays || match[4] !== undefined ? second! : first!;
  const seconds = withDays || match[4] !== undefined ? third! : second!;
  return ((days! * 24 + hours) * 60 + minutes) * MINUTE_MS + seconds * SECOND_MS;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 1_440 * MINUTE_MS,
  week: 10_080 * MINUTE_MS,
};

/**
 * A moment: `{T+60}` counts from the start of the recording, `now` and `now+30`, `now+2minutes` from `nowMs`, a number is seconds
 * from the start. Slurm's clock has whole seconds.
 */
export function momentMs(text: string, nowMs: number): number {
  const absolute = /^\{T(?:\+(\d+(?:\.\d+)?))?\}$/.exec(text) ?? /^(\d+(?:\.\d+)?)$/.exec(text);
  if (absolute !== null) return Math.floor(Number(absolute[1] ?? 0)) * SECOND_MS;
  const relative = /^now(?:\+(\d+)([a-z]*))?$/i.exec(text);
  const unit = UNITS_MS[(relative?.[2]?.toLowerCase() || "second").replace(/s$/, "")];
  if (relative === null || unit === undefined) throw new Error(`"${text}" is not a moment`);
  const second = Math.floor(nowMs / SECOND_MS) * SECOND_MS;
  return second + Number(relative[1] ?? 0) * unit;
}

/** Words of a command line; quotes keep blanks together. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/["']/g, ""),
  );
}

/** `key=value` words by their keys in lower case; a word without `=` has the value "". */
export function pairsOf(words: readonly string[]): Map<string, string> {
  return new Map(
    words.map((word) => {
      const equals = word.indexOf("=");
      if (equals < 0) return [word.toLowerCase(), ""];
      return [word.slice(0, equals).toLowerCase(), word.slice(equals + 1)];
    }),
  );
}

export const listOf = (text: string): string[] => text.split(",").filter((part) => part !== "");

/** `0-5%2`, `1,3,7`, `0-10:2` → the indices, and how many run at once (null = all). */
export function arrayOf(text: string): { indices: number[]; atOnce: number | null } {
  const match = /^([\d,:-]+)(?:%(\d+))?$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not an array`);
  const indices = listOf(match[1]!).flatMap((part) => {
    const range = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part);
    if (range === null) throw new Error(`"${text}" is not an array`);
    const [from, to, step] = [range[1]!, range[2] ?? range[1]!, range[3] ?? "1"].map(Number);
    const many = Math.floor((to! - from!) / step!) + 1;
    return Array.from({ length: many }, (_, k) => from! + k * step!);
  });
  return { indices, atOnce: match[2] === undefined ? null : Number(match[2]) };
}
