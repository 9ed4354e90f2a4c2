import { expect, test } from "vitest";
import { found, scenarioWords } from "../../src/app/dialogs/paletteSearch.ts";
import { LIBRARY, libraryEntry } from "../../src/scenario/library/index.ts";

const scenarios = LIBRARY.map((entry) => ({
  id: entry.id,
  label: `Open “${entry.title}” from the library`,
  also: scenarioWords(entry),
}));
const idsOf = (text: string) => found(scenarios, text).map(({ id }) => id);

test("a scenario is found by its id, a word of its question and the scheduler that it runs under", () => {
  const entry = libraryEntry("lab-network")!;
  expect(entry.title.toLowerCase()).not.toContain("network");
  expect(idsOf("network")).toContain("lab-network");
  expect(idsOf("oversubscribed uplink")).toContain("lab-network");
  expect(idsOf("volcano")).toContain("volcano-starved");
  expect(idsOf("EASY")).toContain("lab-network");
});

test("names that begin with the text come first, then names, then what else is known of an entry", () => {
  const entries = [
    { label: "Table of runs", also: "zoom" },
    { label: "Widen or zoom" },
    { label: "Zoom in" },
    { label: "Open a file" },
  ];
  expect(found(entries, "zoom").map(({ label }) => label)).toEqual([
    "Zoom in",
    "Widen or zoom",
    "Table of runs",
  ]);
  expect(found(entries, "zoom runs").map(({ label }) => label)).toEqual(["Table of runs"]);
  expect(found(entries, " ")).toHaveLength(4);
});
