/** The page of the preset and its document say the same. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  APPROXIMATED,
  CHECKED_VERSION,
  MODELLED,
  NOT_CHECKED,
  NOT_MODELLED,
} from "../../../src/scenario/slurm/presetFacts.ts";

const text = readFileSync(new URL("../../../docs/policies/slurm.md", import.meta.url), "utf8");

/** The words of a section, without marks of Markdown and line breaks. */
function section(title: string): string {
  const start = text.indexOf(`\n## ${title}\n`);
  const end = text.indexOf("\n## ", start + 4);
  const words = text.slice(start, end < 0 ? undefined : end).replace(/`/g, "");
  return words.replace(/\s+/g, " ");
}

test("the rules are the headings of the document", () => {
  const rules = text.slice(text.indexOf("\n## Rules\n"), text.indexOf("\n## Modelled\n"));
  expect([...rules.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual(MODELLED);
});

test("what is approximated, not modelled and not checked is said word for word in both", () => {
  for (const sentence of APPROXIMATED) expect(section("Approximated")).toContain(sentence);
  expect(section("Approximated").split(" - ").length - 1).toBe(APPROXIMATED.length);
  for (const item of NOT_MODELLED) expect(section("Not modelled")).toContain(item);
  for (const item of NOT_CHECKED)
    expect(section("From the manual, not checked against a recording")).toContain(item);
  expect(section("Version")).toContain(CHECKED_VERSION);
});
