import { describe, expect, test } from "vitest";
import {
  cardErrors,
  cardOf,
  changedFields,
  withCard,
} from "../../src/app/scenarioCard/cardDraft.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const HOUR = 3_600_000;
const scenario = mustRead({
  ...small,
  title: "One",
  question: "Why?",
  seed: 7,
  horizonMs: 9 * HOUR,
  calendarStart: "2026-03-02T08:00:30",
});

describe("the card of a scenario", () => {
  test("left alone is the same document", () => {
    expect(withCard(scenario, cardOf(scenario, 0))).toBe(scenario);
    const bare = mustRead(small);
    expect(withCard(bare, cardOf(bare, 5 * HOUR))).toBe(bare);
  });

  test("names what differs", () => {
    const draft = { ...cardOf(scenario, 0), title: " Two ", seed: 8, ends: false, dated: false };
    const after = withCard(scenario, draft);
    expect(after.title).toBe("Two");
    expect(Object.keys(after)).not.toContain("horizonMs");
    expect(Object.keys(after)).not.toContain("calendarStart");
    expect(changedFields(scenario, after)).toEqual(["title", "seed", "end of the run", "calendar"]);
    expect(mustRead(after)).toEqual(after);
  });

  test("takes a day and a time, with or without seconds", () => {
    const at = (start: string) =>
      withCard(scenario, { ...cardOf(scenario, 0), start }).calendarStart;
    expect(at("2027-01-05 09:30")).toBe("2027-01-05T09:30:00");
    expect(at("2027-01-05T09:30:15")).toBe("2027-01-05T09:30:15");
    for (const start of ["2026-02-30 08:00", "yesterday", ""])
      expect(cardErrors({ ...cardOf(scenario, 0), start }, scenario).start).toBeDefined();
  });

  test("refuses an end before a change that is on", () => {
    const change = { kind: "drain", atMs: 5 * HOUR, nodes: ["n-000"] } as const;
    const early = { ...cardOf(scenario, 0), horizonMs: 4 * HOUR };
    const changed = mustRead({ ...scenario, interventions: [change] });
    expect(cardErrors(early, changed).horizonMs).toMatch(/1.change would lie behind it/);
    const off = mustRead({ ...scenario, interventions: [{ ...change, off: true }] });
    expect(cardErrors(early, off)).toEqual({});
  });

  test("wants a title", () => {
    expect(cardErrors({ ...cardOf(scenario, 0), title: "  " }, scenario).title).toBeDefined();
  });
});
