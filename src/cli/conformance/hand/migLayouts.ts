/**
 * MIG layouts in words: `A100 40GB: … placements 1g.5gb:{0..6}x1, …` and `layout L1 = 4 x 1g.10gb + 3 x 1g.5gb; layout L2 = 3g then 4g`. First fit: each
 * instance is a job of its own, in the order of the list; the search: the layout is one job. Both are placed by the product on a GPU of that model.
 */
import { MIG_GEOMETRIES } from "../../../model/mig.ts";
import type { FieldCase } from "../fieldCaseFile.ts";
import { gpuModelOf, type Placed, placeJobs, profilesOf, shapeOf } from "../migGpu.ts";
import { jobsInWords, type Statement, side, textOf } from "./statement.ts";

export function migLayouts(one: FieldCase): Statement[] {
  const words = one.scenario.cluster.gpu ?? "";
  const gpu = gpuIn(words);
  const profileOf = profilesIn(words, gpu);
  if (profileOf.size === 0) return [];
  const firstFits = side(one, "observed")["first_fit"] as Record<string, unknown> | undefined;
  const expected = side(one, "expected");
  const statements: Statement[] = [];
  for (const { name, instances } of layoutsIn(jobsInWords(one), profileOf)) {
    const place = (jobs: string[][], packing: "firstFit" | "search") =>
      inWords(placeJobs(gpu, jobs, packing), instances, profileOf);
    const profiles = instances.map((instance) => profileOf.get(instance)!);
    const said = textOf(firstFits?.[name]);
    if (said !== "") {
      const jobs = profiles.map((profile) => [profile]);
      statements.push(...firstFitSays(name, said, place(jobs, "firstFit")));
    }
    const verdict = textOf(expected[name]);
    const found = place([profiles], "search");
    const isFound = found.every(({ start }) => start >= 0);
    if (/^(in)?feasible/.test(verdict))
      statements.push({
        name: `${name} is feasible`,
        expected: verdict.startsWith("feasible"),
        came: isFound,
      });
    if (isFound && /\bat \d/.test(verdict))
      statements.push({ name, expected: placesIn(verdict), came: wordsOf(found) });
  }
  return statements;
}

/** The model that the text names; where it names none, the first that has all of its profiles. */
function gpuIn(words: string): ReturnType<typeof gpuModelOf> {
  const named = gpuModelOf(/^([^:]+):/.exec(words)?.[1]?.trim() ?? "");
  if (named.memGiB > 0) return named;
  const asked = [...words.matchAll(PROFILE)].length;
  const models = MIG_GEOMETRIES.map(({ model }) => gpuModelOf(model));
  return models.find((gpu) => profilesIn(words, gpu).size === asked) ?? named;
}

const PROFILE = /([\w.+]+)\s*:\s*\{([^}]*)\}\s*x\s*(\d+)/g;

/** By the names of the text again. */
function inWords(
  placed: readonly Placed[],
  instances: readonly string[],
  profileOf: ReadonlyMap<string, string>,
): Placed[] {
  return placed.map(({ profile, start }) => {
    const name = instances.find((instance) => profileOf.get(instance) === profile);
    return { profile: name ?? profile, start };
  });
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

/** The product's profile for each name of the text: the same name, or, where the memory is left out, the same places. */
function profilesIn(words: string, gpu: ReturnType<typeof gpuModelOf>): Map<string, string> {
  const found = new Map<string, string>();
  const known = profilesOf(gpu);
  for (const [, name, starts, slices] of words.matchAll(PROFILE)) {
    const wanted = `${Number.parseInt(name!, 10)} ${slices} ${startsIn(starts!)}`;
    const profile = known.find((one) => {
      const shape = shapeOf(gpu, one);
      return `${shape.compute} ${shape.slices} ${shape.starts}` === wanted;
    });
    if (profile !== undefined) found.set(name!, profile);
  }
  return found;
}

function startsIn(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const [from, to = from] = part.split("..").map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, i) => from! + i);
  });
}

function layoutsIn(text: string, profileOf: ReadonlyMap<string, string>) {
  const found: { name: string; instances: string[] }[] = [];
  for (const [, name, list] of text.matchAll(/layout (\w+) = ([^;]+)/g)) {
    const instances = list!.split(/\s*(?:\+|,|\bthen\b|\band\b)\s*/).flatMap((part) => {
      const [, times = "1", profile = ""] = /^(?:(\d+) x )?(\S+)/.exec(part.trim()) ?? [];
      return Array.from({ length: Number(times) }, () => profile);
    });
    if (instances.every((one) => profileOf.has(one))) found.push({ name: name!, instances });
  }
  return found;
}
