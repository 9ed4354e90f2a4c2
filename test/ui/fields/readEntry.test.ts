/** What is typed into a field of weights becomes a list of values with weights, and comes back as it reads best. */
import { expect, test } from "vitest";
import { scenarioSchema } from "../../../src/scenario/schema.ts";
import { leafOf, schemaAt } from "../../../src/ui/fields/leaf.ts";
import { entryError, readText, textOf } from "../../../src/ui/fields/readEntry.ts";

const schema = schemaAt(scenarioSchema, "workload.synthetic.0");
const sizes = { key: "gpus", label: "GPUs", sentence: "", as: "weights" } as const;
const teams = { key: "teams", label: "Teams", sentence: "", as: "nameWeights" } as const;

test("sizes with weights are read; a weight that is left out is 1; words are refused and kept", () => {
  const leaf = leafOf(schema, "gpus");
  const read = readText("8: 3, 64", leaf, sizes);
  expect(read).toEqual([
    { value: 8, weight: 3 },
    { value: 64, weight: 1 },
  ]);
  expect(textOf(read, leaf, sizes)).toBe("8: 3, 64: 1");
  for (const wrong of ["many", "8: none", "8: 0", ""]) {
    expect(readText(wrong, leaf, sizes)).toBe(wrong);
    expect(entryError(wrong, leaf, sizes)).toMatch(/^Write value: weight/);
  }
});

test("teams are names, also where they look like numbers; none at all is no team", () => {
  const leaf = leafOf(schema, "teams");
  expect(readText("red: 2, 7", leaf, teams)).toEqual([
    { value: "red", weight: 2 },
    { value: "7", weight: 1 },
  ]);
  expect(readText(" ", leaf, teams)).toBeUndefined();
});

test("measured speeds are pairs of members and speed; nothing is none", () => {
  const leaf = leafOf(schemaAt(scenarioSchema, "workload.jobs.0"), "elastic.throughput");
  const spec = { key: "elastic.throughput", label: "", sentence: "", as: "speeds" } as const;
  const read = readText("4: 0.6, 8: 1", leaf, spec);
  expect(read).toEqual([
    { members: 4, speed: 0.6 },
    { members: 8, speed: 1 },
  ]);
  expect(textOf(read, leaf, spec)).toBe("4: 0.6, 8: 1");
  expect(readText("", leaf, spec)).toBeUndefined();
  expect(readText("4", leaf, spec)).toBe("4");
  expect(entryError("4", leaf, spec)).toMatch(/^Write members: speed/);
});
