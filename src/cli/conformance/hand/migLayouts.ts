/**
 * MIG layouts in words: `placements 1g.5gb:{0..6}x1, …` of the GPU and `layout L1 = 4 x 1g.10gb + 3 x 1g.5gb; layout L2 = 3g then 4g`. First fit takes
 * the lowest start that is open, in the order of the list; the search tries every start of every instance.
 */
import { type MigShape, openStarts, sliceMask } from "../../../model/mig.ts";
import type { FieldCase } from "../fieldCaseFile.ts";
import { jobsInWords, type Statement, side, textOf } from "./statement.ts";

interface Placed {
  readonly profile: string;
  /** −1: it found no place. */
  readonly start: number;
}

export function migLayouts(one: FieldCase): Statement[] {
  const { gpu } = one.scenario.cluster;
  const shapes = shapesIn(gpu ?? "");
  if (shapes.size === 0) return [];
  const compute = Number(/(\d+) compute/.exec(gpu ?? "")?.[1] ?? 7);
  const firstFits = side(one, "observed")["first_fit"] as Record<string, unknown> | undefined;
  const expected = side(one, "expected");
  const statements: Statement[] = [];
  for (const { name, profiles } of layoutsIn(jobsInWords(one), shapes)) {
    const said = textOf(firstFits?.[name]);
    if (said !== "")
      statements.push(...firstFitSays(name, said, firstFit(profiles, shapes, compute)));
    const verdict = textOf(expected[name]);
    const found = search(profiles, shapes, compute);
    if (/^(in)?feasible/.test(verdict))
      statements.push({
        name: `${name} is feasible`,
        expected: verdict.startsWith("feasible"),
        came: found !== null,
      });
    if (found !== null && /\bat \d/.test(verdict))
      statements.push({ name, expected: placesIn(verdict), came: wordsOf(found) });
  }
  return statements;
}

function firstFitSays(name: string, said: string, placed: readonly Placed[]): Statement[] {
  const counts = /(\d+) created(?:, (\d+) missing)?/.exec(said);
  if (counts !== null) {
    const created = placed.filter(({ start }) => start >= 0).length;
    return [
      { name: `${name} created`, expected: Number(counts[1]), came: created },
      { name: `${name} missing`, expected: Number(counts[2] ?? 0), came: placed.length - created },
    ];
  }
  return [{ name: `${name} by first fit`, expected: placesIn(said), came: wordsOf(placed) }];
}

/** `3g at 0, 4g missing`, in order of the words. */
function placesIn(text: string): string {
  const found = text.matchAll(/([\w.+]+) (?:at (\d+)|(missing))/g);
  return [...found]
    .map(([, profile, start]) => `${profile} ${start ?? "missing"}`)
    .sort()
    .join(", ");
}

function wordsOf(placed: readonly Placed[]): string {
  return placed
    .map(({ profile, start }) => `${profile} ${start < 0 ? "missing" : start}`)
    .sort()
    .join(", ");
}

function shapesIn(gpu: string): Map<string, MigShape> {
  const shapes = new Map<string, MigShape>();
  for (const [, name, starts, slices] of gpu.matchAll(/([\w.+]+)\s*:\s*\{([^}]*)\}\s*x\s*(\d+)/g)) {
    const compute = Number.parseInt(name!, 10);
    shapes.set(name!, { slices: Number(slices), compute, starts: startsIn(starts!) });
  }
  return shapes;
}

function startsIn(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const [from, to = from] = part.split("..").map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, i) => from! + i);
  });
}

function layoutsIn(text: string, shapes: ReadonlyMap<string, MigShape>) {
  const found: { name: string; profiles: string[] }[] = [];
  for (const [, name, list] of text.matchAll(/layout (\w+) = ([^;]+)/g)) {
    const profiles = list!.split(/\s*(?:\+|,|\bthen\b|\band\b)\s*/).flatMap((part) => {
      const [, times = "1", profile = ""] = /^(?:(\d+) x )?(\S+)/.exec(part.trim()) ?? [];
      return Array.from({ length: Number(times) }, () => profile);
    });
    if (profiles.every((profile) => shapes.has(profile))) found.push({ name: name!, profiles });
  }
  return found;
}

function firstFit(
  profiles: readonly string[],
  shapes: ReadonlyMap<string, MigShape>,
  compute: number,
): Placed[] {
  let used = 0;
  let computeUsed = 0;
  return profiles.map((profile) => {
    const shape = shapes.get(profile)!;
    const [start = -1] = openStarts(shape, used, computeUsed, compute);
    if (start >= 0) {
      used |= sliceMask(shape.slices, start);
      computeUsed += shape.compute;
    }
    return { profile, start };
  });
}

/** All instances of a layout, or null. Exponential in the instances of one GPU, of which there are at most eight. */
function search(
  profiles: readonly string[],
  shapes: ReadonlyMap<string, MigShape>,
  compute: number,
  used = 0,
  computeUsed = 0,
): Placed[] | null {
  const [profile, ...rest] = profiles;
  if (profile === undefined) return [];
  const shape = shapes.get(profile)!;
  for (const start of openStarts(shape, used, computeUsed, compute)) {
    const taken = used | sliceMask(shape.slices, start);
    const others = search(rest, shapes, compute, taken, computeUsed + shape.compute);
    if (others !== null) return [{ profile, start }, ...others];
  }
  return null;
}
