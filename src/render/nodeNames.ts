/**
 * Names of nodes where there is little room. The number at the end says which node it is only while no other node ends with the same; where groups count each
 * from their own first node, the first letters by which a group differs from the others stand before it: `a100-003`, `h100-003` → `a·003`, `h·003`.
 */

/** By what stands before the number: its shortest beginning that no other has; empty where numbers alone tell nodes apart. */
type Beginnings = ReadonlyMap<string, string>;

const known = new WeakMap<readonly string[], Beginnings>();

/** The longest form of `names[at]` that fits and still tells it from the others; empty when none does. O(1) after the first call for the same array. */
export function fitNodeName(
  names: readonly string[],
  at: number,
  room: number,
  measure: (text: string) => number,
): string {
  const name = names[at]!;
  if (measure(name) <= room) return name;
  const [stem, number] = cut(name);
  if (number === "") return "";
  const beginnings = known.get(names) ?? beginningsOf(names);
  known.set(names, beginnings);
  const beginning = beginnings.get(stem) ?? "";
  const forms =
    beginning === ""
      ? [number]
      : [`${beginning}·${number}`, `${beginning}·${number.replace(/^0+(?=\d)/, "")}`];
  return forms.find((text) => measure(text) <= room) ?? "";
}

function cut(name: string): readonly [stem: string, number: string] {
  const number = /\d+$/.exec(name)?.[0] ?? "";
  return [name.slice(0, name.length - number.length), number];
}

/** O(names + groups² × letters). */
function beginningsOf(names: readonly string[]): Beginnings {
  const stems = new Set<string>();
  const numbers = new Set<string>();
  let repeated = false;
  for (const name of names) {
    const [stem, number] = cut(name);
    stems.add(stem);
    if (number === "") continue;
    repeated ||= numbers.has(number);
    numbers.add(number);
  }
  if (!repeated) return new Map();
  const all = [...stems];
  const shared = sharedWords(all);
  return new Map(
    all.map((stem) => {
      const rest = stem.slice(shared);
      const others = all.filter((other) => other !== stem);
      let length = 1;
      while (
        length < rest.length &&
        others.some((other) => other.startsWith(rest.slice(0, length), shared))
      )
        length++;
      return [stem, rest.slice(0, length)];
    }),
  );
}

/** Letters that all begin with, up to the end of a word: no number is cut in two. */
function sharedWords(stems: readonly string[]): number {
  const [one = ""] = stems;
  let shared = 0;
  for (let at = 0; at < one.length && stems.every((stem) => stem[at] === one[at]); at++)
    if (!/[a-z0-9]/i.test(one[at]!)) shared = at + 1;
  return shared;
}
