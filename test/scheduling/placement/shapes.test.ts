import { expect, test } from "vitest";
import type { World } from "../../../src/model/world.ts";
import { libraryScenario } from "../../../src/scenario/library/index.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import { shapesOf } from "../../../src/scheduling/placement/shapes.ts";
import { Expander } from "../../../src/workload/expander.ts";

const HOUR_MS = 3_600_000;
const base = { ...libraryScenario("month-128")!, horizonMs: 48 * HOUR_MS };
const inject = (id: string, gpus: number, more: object = {}) => ({
  kind: "inject",
  atMs: 5 * HOUR_MS,
  job: { id, gpus, workMs: HOUR_MS, limitMs: 2 * HOUR_MS, ...more },
});

/** Edits one after the other, each the whole list of changes. */
const CHAIN = [
  [],
  [inject("a", 8)],
  [inject("b", 7)],
  [inject("c", 7), inject("d", 3, { cpusPerGpu: 3 }), inject("e", 8)],
  [],
];

function world(expander: Expander, interventions: readonly object[], again: boolean): World {
  const read = readScenario({ ...base, interventions });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const outcome = expander.expand(read.value, undefined, again);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

test("an injected job asks for one more shape at most: those of all others, and how often each occurs, are as if all had been told apart anew", () => {
  const chained = new Expander();
  const first = world(chained, [], false);
  const { list } = shapesOf(first.jobs, first.cluster);
  for (const interventions of CHAIN) {
    const edited = world(chained, interventions, true);
    const fresh = world(new Expander(), interventions, false);
    const found = shapesOf(edited.jobs, edited.cluster);
    const anew = shapesOf(fresh.jobs, fresh.cluster);
    expect(JSON.stringify(found)).toBe(JSON.stringify(anew));
    expect(found.list[0]!.mix.classes().map(({ weight }) => weight)).toEqual(
      anew.list[0]!.mix.classes().map(({ weight }) => weight),
    );
    // Told apart once: what single members ask for is the very same.
    expect(list.every((shape, i) => shape.parts === found.list[i]!.parts)).toBe(true);
  }
});
