/**
 * The lines of slurm.conf, gres.conf and topology.conf: `Key=Value` pairs with blanks between them, `#` comments, quoted values
 * and lines joined by a `\` at their end, as slurm.conf(5) says. Every pair knows where its value stands in the text, so that an
 * editor can change one value and leave everything else as it was. Nothing is said about meaning here.
 */

export interface ConfPair {
  /** As written; keys are compared without regard to case (`keyOf`). */
  readonly key: string;
  /** Without its quotes. */
  readonly value: string;
  /** Where the pair begins and ends in the text. */
  readonly from: number;
  readonly until: number;
  /** Where the value begins and ends, with its quotes. */
  readonly valueFrom: number;
  readonly valueUntil: number;
  readonly quoted: boolean;
}

export interface ConfLine {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  /** Where its first character and the line break after its last stand. */
  readonly from: number;
  readonly until: number;
  readonly pairs: readonly ConfPair[];
  /** What stands in the line and is no pair; "" = nothing. */
  readonly rest: string;
}

/** A joined line in the order of its characters, each with its place in the text. */
interface Joined {
  readonly characters: string;
  readonly places: readonly number[];
}

/** A table by names that come from a file: a name such as `constructor` is in it only when it was put there. */
export function named<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

/** The form in which keys and names of options are compared. */
export function keyOf(text: string): string {
  return text.toLowerCase();
}

/** Every line that is not empty and not a comment. O(text). */
export function confLines(text: string): ConfLine[] {
  const lines: ConfLine[] = [];
  let from = 0;
  let lineNumber = 1;
  while (from < text.length) {
    const firstLine = lineNumber;
    const start = from;
    const joined: { characters: string; places: number[] } = { characters: "", places: [] };
    let until = start;
    for (let again = true; again; ) {
      const end = endOfLine(text, from);
      again = takeLine(text, from, end, joined);
      until = end;
      from = end + 1;
      lineNumber += 1;
      if (from > text.length) again = false;
    }
    const line = readLine(joined, firstLine, start, until);
    if (line !== null) lines.push(line);
  }
  return lines;
}

/** The first line with a key, or with this value of it; line 1 where there is none. O(text). */
export function lineWith(text: string, key: string, value?: string): number {
  const has = (pair: ConfPair) =>
    keyOf(pair.key) === keyOf(key) && (value === undefined || keyOf(pair.value) === keyOf(value));
  return confLines(text).find((line) => line.pairs.some(has))?.line ?? 1;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** Adds one physical line up to its comment; true when the next one continues it, which then follows without a blank. `\#` is the character `#`. */
function takeLine(
  text: string,
  from: number,
  end: number,
  joined: { characters: string; places: number[] },
): boolean {
  let last = end;
  while (last > from && /\s/.test(text[last - 1]!)) last -= 1;
  const parts: string[] = [];
  for (let at = from; at < last; at += 1) {
    const character = text[at]!;
    if (character === "\\" && at === last - 1) {
      joined.characters += parts.join("");
      return true;
    }
    if (character === "\\" && text[at + 1] === "#") {
      parts.push("#");
      joined.places.push(at + 1);
      at += 1;
      continue;
    }
    if (character === "#") break;
    parts.push(character);
    joined.places.push(at);
  }
  joined.characters += parts.join("");
  return false;
}

const PAIR = /([A-Za-z0-9_.]+)[ \t]*=[ \t]*("[^"]*"|[^ \t]+)?/y;

function readLine(joined: Joined, line: number, from: number, until: number): ConfLine | null {
  const { characters, places } = joined;
  const pairs: ConfPair[] = [];
  let rest = "";
  let at = 0;
  while (at < characters.length) {
    if (/\s/.test(characters[at]!)) {
      at += 1;
      continue;
    }
    PAIR.lastIndex = at;
    const match = PAIR.exec(characters);
    if (match === null) {
      const word = /\S+/y;
      word.lastIndex = at;
      const [found = characters[at]!] = word.exec(characters) ?? [];
      rest += rest === "" ? found : ` ${found}`;
      at += found.length;
      continue;
    }
    pairs.push(pairOf(match, at, places));
    at += match[0].length;
  }
  if (pairs.length === 0 && rest === "") return null;
  return { line, from, until, pairs, rest };
}

function pairOf(match: RegExpExecArray, at: number, places: readonly number[]): ConfPair {
  const [whole, key = "", raw = ""] = match;
  const end = at + whole.length;
  const quoted = raw.startsWith('"');
  const until = places[end - 1]! + 1;
  return {
    key,
    value: quoted ? raw.slice(1, -1) : raw,
    from: places[at]!,
    until,
    valueFrom: raw === "" ? until : places[end - raw.length]!,
    valueUntil: until,
    quoted,
  };
}
