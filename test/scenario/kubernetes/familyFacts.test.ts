/** What the page says of a preset and its document are the same. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FAMILY_FACTS } from "../../../src/scenario/kubernetes/familyFacts.ts";

describe.each(Object.entries(FAMILY_FACTS))("%s", (id, facts) => {
  const text = readFileSync(new URL(`../../../docs/policies/${id}.md`, import.meta.url), "utf8");
  const section = (title: string): string => {
    const start = text.indexOf(`\n## ${title}\n`);
    const end = text.indexOf("\n## ", start + 4);
    return text.slice(start, end < 0 ? undefined : end).replace(/\s+/g, " ");
  };

  test("the rules are the headings of the document", () => {
    const rules = text.slice(text.indexOf("\n## Rules\n"), text.indexOf("\n## Modelled\n"));
    expect([...rules.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual(facts.modelled);
  });

  test("what is approximated and not modelled is said word for word in both", () => {
    for (const sentence of facts.approximated) expect(section("Approximated")).toContain(sentence);
    expect(section("Approximated").split(" - ").length - 1).toBe(facts.approximated.length);
    for (const item of facts.notModelled) expect(section("Not modelled")).toContain(item);
    expect(section("Version")).toContain(facts.version);
  });
});
