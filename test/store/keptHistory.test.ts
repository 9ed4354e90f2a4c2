import { expect, test } from "vitest";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import type { Doc } from "../../src/store/documents.ts";
import type { History } from "../../src/store/history.ts";
import { packHistory, unpackHistory } from "../../src/store/keptHistory.ts";

function scenario(title: string, jobs = 1): Scenario {
  const read = readScenario({
    version: 1,
    title,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8 }] },
    workload: {
      jobs: Array.from({ length: jobs }, (_, i) => ({
        id: `j${i}`,
        submitMs: 0,
        gpus: 1,
        workMs: 1_000,
      })),
    },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const step = (title: string, jobs = 1) => ({
  document: { scenario: scenario(title, jobs), baseId: null, view: null } satisfies Doc,
  label: title,
});
const history: History<Doc> = {
  past: [step("A"), step("B")],
  present: step("C"),
  future: [step("D")],
};
const labels = (of: History<Doc> | null) =>
  of && [of.past, [of.present], of.future].map((list) => list.map((one) => one?.label));

test("steps come back around the same document, in their order", () => {
  expect(labels(unpackHistory(packHistory(history), scenario("C")))).toEqual([
    ["A", "B"],
    ["C"],
    ["D"],
  ]);
});

test("nothing comes back around another document, and nothing from what is no history", () => {
  expect(unpackHistory(packHistory(history), scenario("B"))).toBeNull();
  for (const text of [null, "", "{", "[]", '{"present":"x"}', '{"present":"{}"}'])
    expect(unpackHistory(text, scenario("C"))).toBeNull();
});

test("where room is short the steps nearest to the present one are kept, Undo before Redo", () => {
  const one = JSON.stringify(step("A")).length + 10;
  const kept = (room: number) => labels(unpackHistory(packHistory(history, room), scenario("C")));
  expect(kept(2 * one)).toEqual([["B"], ["C"], []]);
  expect(kept(3 * one)).toEqual([["A", "B"], ["C"], []]);
  expect(kept(one)).toBeNull();
});

test("a step with thousands of jobs ends the list: writing it out would hold up a page that closes", () => {
  const past = [step("A"), step("large", 4_001), step("B")];
  expect(labels(unpackHistory(packHistory({ ...history, past }), scenario("C")))?.[0]).toEqual([
    "B",
  ]);
});
