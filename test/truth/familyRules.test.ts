/** Every rule of the family is drawn under its id on a page that the suite runs, or said to be left out; none is forgotten. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRAWN, LEFT_OUT } from "./familyRules.ts";

const here = (path: string) => new URL(path, import.meta.url);

/** Pages with the words that open a block of theirs which the suite runs (`test/schedulers`). */
const PAGES: Readonly<Record<string, RegExp>> = {
  "kube-scheduler": /^```groups /,
  kueue: /^```kueue /,
  volcano: /^```groups /,
  kai: /^```groups /,
  ray: /^```(groups|kueue) /,
  descheduler: /^```groups /,
  "cluster-autoscaler": /^```groups /,
  life: /^```(schedule|scenario)\b/,
  mig: /^```schedule /,
};

const textOf = (page: string) => readFileSync(here(`../../docs/policies/${page}.md`), "utf8");

/** Ids in bold of the paragraph right above a drawn schedule. */
function idsDrawn(page: string): string[] {
  const parts = textOf(page).split("\n\n");
  const isBlock = (part: string) =>
    part.split("\n").some((line) => PAGES[page]!.test(`${line} `.trimStart()));
  return parts.flatMap((part, index) =>
    index > 0 && isBlock(part)
      ? [...parts[index - 1]!.matchAll(/\*\*([A-K]\d+(?:\.[A-Za-z0-9-]+)?)\*\*/g)].map(
          ([, id]) => id!,
        )
      : [],
  );
}

const drawn = new Set(Object.keys(PAGES).flatMap(idsDrawn));

/** A section is drawn where one of its parts is. */
const isDrawn = (id: string): boolean =>
  drawn.has(id) || (!id.includes(".") && [...drawn].some((each) => each.startsWith(`${id}.`)));

/** What a page says that it leaves out or simplifies. */
function leftOutOf(page: string): string {
  const text = textOf(page);
  const from = /^(## Approximated|## Not modelled|\*\*Not modelled\*\*|\*\*Without a preset\*\*)/m;
  return text.slice(text.search(from)).replace(/\s+/g, " ");
}

describe("rules of the Kubernetes family, Ray and what belongs to them", () => {
  test.each(Object.entries(DRAWN))("%s is drawn: %s", (id) => {
    expect(isDrawn(id)).toBe(true);
  });

  test.each(Object.entries(LEFT_OUT))("%s is said to be left out or simplified", (_id, where) => {
    expect(leftOutOf(where[0])).toContain(where[1]);
  });

  test("none is both drawn and left out", () => {
    expect(Object.keys(LEFT_OUT).filter((id) => id in DRAWN || drawn.has(id))).toEqual([]);
  });

  const known = new Set([...Object.keys(DRAWN), ...Object.keys(LEFT_OUT)]);
  const isKnown = (id: string) =>
    known.has(id) || [...known].some((each) => each.startsWith(`${id}.`));

  test("every rule that a recorded outcome names is known here", () => {
    const named = readdirSync(here("vectors"))
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => {
        const { cases } = JSON.parse(readFileSync(here(`vectors/${file}`), "utf8"));
        return (cases as { rules: string[] }[]).flatMap(({ rules }) => rules);
      });
    expect(new Set(named).size).toBeGreaterThan(50);
    expect([...new Set(named)].filter((id) => !isKnown(id))).toEqual([]);
  });

  const rules = here("../../../shared/truth/kubernetes-ray/SEMANTICS.md");
  test.runIf(existsSync(rules))("every id of the written rules is known here", () => {
    const text = readFileSync(rules, "utf8");
    const ids = new Set(
      [...text.matchAll(/\*\*([A-K]\d+(?:\.[a-z0-9-]+)?)\*\*/g)].map(([, id]) => id!),
    );
    expect(ids.size).toBeGreaterThan(80);
    expect([...ids].filter((id) => !isKnown(id))).toEqual([]);
  });
});
