/** The orders of the lab, each by a scenario small enough to be computed by hand, through the engine. */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { type Outcome, runLines, runWorld } from "../../support/draw.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

function run(settings: Given, text: string): Outcome {
  return runWorld(tenancyWorld(text, { pools: [labPool(settings)] }), schedulerOf);
}

/** Names in order of their first start, and when that is. */
function starts(outcome: Outcome): string {
  return runLines(outcome)
    .map((line) => /^(\w+)#(\d+) ([\d.]+)-/.exec(line)!)
    .filter(([, , number]) => number === "1")
    .map(([, name, , start]) => ({ name: name!, start: Number(start) }))
    .sort((a, b) => a.start - b.start || a.name.localeCompare(b.name))
    .map(({ name, start }) => `${name}@${start}`)
    .join(" ");
}

const order = (settings: Given, text: string): string => starts(run(settings, text));

describe("orders with a key that stays", () => {
  const SIZES = `4 gpus
    0s A x4 10s
    1s B x2 10s
    2s C x1 10s
    3s D x4 10s`;
  test("smallest first lets the narrow pass the wide", () =>
    expect(order({ order: "smallest" }, SIZES)).toBe("A@0 B@10 C@10 D@20"));
  test("largest first lets the wide pass the narrow", () =>
    expect(order({ order: "largest" }, SIZES)).toBe("A@0 D@10 B@20 C@20"));

  test("the larger number goes first under priority, equal ones by submit time", () =>
    expect(
      order(
        { order: "priority" },
        `1 gpus
         0s A x1 10s
         1s B x1 10s priority 1
         2s C x1 10s priority 7
         3s D x1 10s priority 1`,
      ),
    ).toBe("A@0 C@10 B@20 D@30"));

  test("the highest bid goes first", () =>
    expect(
      order(
        { order: "highestBid" },
        `1 gpus
         0s A x1 10s
         1s B x1 10s bid 1
         2s C x1 10s bid 2.5`,
      ),
    ).toBe("A@0 C@10 B@20"));

  test("who has least time to lose goes first; without a deadline, last", () =>
    // Slack at 10 s: B 100−10−10 = 80, C 60−10−40 = 10, D none.
    expect(
      order(
        { order: "leastSlack" },
        `1 gpus
         0s A x1 10s
         1s D x1 10s limit 10s
         2s B x1 10s limit 10s deadline 100s
         3s C x1 40s limit 40s deadline 60s`,
      ),
    ).toBe("A@0 C@10 B@50 D@60"));

  test("without limits the earliest deadline goes first", () =>
    expect(
      order(
        { order: "leastSlack" },
        `1 gpus
         0s A x1 10s
         1s B x1 10s deadline 100s
         2s C x1 40s deadline 60s`,
      ),
    ).toBe("A@0 C@10 B@50"));

  test("shortest first and least slack go by what is known of run times", () => {
    const text = `1 gpus
      0s A x1 10s
      1s B x1 20s limit 30s deadline 100s
      2s C x1 5s limit 90s deadline 99s`;
    const known = (settings: Readonly<Record<string, string>>) => order(settings, text);
    expect(known({ order: "shortest" })).toBe("A@0 B@10 C@30");
    expect(known({ order: "shortest", runTimes: "exact" })).toBe("A@0 C@10 B@15");
    // Slack by limits: B 100−30, C 99−90; by the truth: B 100−20, C 99−5.
    expect(known({ order: "leastSlack" })).toBe("A@0 C@10 B@15");
    expect(known({ order: "leastSlack", runTimes: "exact" })).toBe("A@0 B@10 C@30");
  });

  test("tiers first holds before any order", () =>
    expect(
      order(
        { order: "smallest", tiersFirst: true },
        `4 gpus
         0s A x4 10s
         1s B x1 10s tier 3
         2s C x4 10s tier 1`,
      ),
    ).toBe("A@0 C@10 B@20"));

  test("a job that changes its tier takes its new place at once", () =>
    expect(
      order(
        { order: "fcfs", tiersFirst: true },
        `1 gpus
         0s A x1 10s
         1s B x1 10s tier 2
         2s C x1 10s tier 2
         5s ! retier C 0`,
      ),
    ).toBe("A@0 C@10 B@20"));
});

describe("aging", () => {
  const TEXT = `1 gpus
    0s A x1 30s tier 0
    1s B x1 10s tier 3
    25s C x1 10s tier 2
    27s D x1 10s tier 1`;
  test("a job rises by a tier for each aging time it has waited", () =>
    // Keys with 10 s a tier: B 1+30 = 31, C 25+20 = 45, D 27+10 = 37.
    expect(order({ order: "aging", agingMs: 10_000 }, TEXT)).toBe("A@0 B@30 D@40 C@50"));
  test("an aging time of 0 means strict tiers", () =>
    expect(order({ order: "aging", agingMs: 0 }, TEXT)).toBe("A@0 D@30 C@40 B@50"));
  test("long aging lets a high tier pass", () =>
    expect(order({ order: "aging", agingMs: 3_600_000 }, TEXT)).toBe("A@0 D@30 C@40 B@50"));
});

describe("multifactor", () => {
  const WEIGHTS = { order: "multifactor", fairShareWeight: 0, tierWeight: 0, ageWeight: 0 };
  const TEXT = `4 gpus
    0s A x4 20s
    1s B x1 10s tier 2
    2s C x4 10s tier 3
    3s D x1 10s tier 0`;
  test("without weights it is first come, first served", () =>
    expect(order(WEIGHTS, TEXT)).toBe("A@0 B@20 C@30 D@40"));
  test("points for the tier", () =>
    expect(order({ ...WEIGHTS, tierWeight: 1_000 }, TEXT)).toBe("A@0 B@20 D@20 C@30"));
  test("points for size", () =>
    expect(order({ ...WEIGHTS, sizeWeight: 1_000 }, TEXT)).toBe("A@0 C@20 B@30 D@30"));
  test("age counts up to the full age only, and points are computed anew at the period", () => {
    // At 20 s: E has waited 19 of 20 s (950 points), F 10 s (500) plus 400 for its tier of 0: E. With full age 10 s both have 1,000: F.
    const text = `1 gpus
      0s A x1 20s
      1s E x1 10s tier 3
      10s F x1 10s tier 0`;
    const settings = { ...WEIGHTS, ageWeight: 1_000, tierWeight: 400, priorityEveryMs: 1_000 };
    expect(order({ ...settings, ageMaxMs: 20_000 }, text)).toBe("A@0 E@20 F@30");
    expect(order({ ...settings, ageMaxMs: 10_000 }, text)).toBe("A@0 F@20 E@30");
  });
  test("between two periods nobody changes places", () => {
    // Points at submission count until 100 s: E 0 + 0, F 0 + 400.
    const text = `1 gpus
      1s A x1 20s
      2s E x1 10s tier 3
      12s F x1 10s tier 0`;
    const settings = { ...WEIGHTS, ageWeight: 100_000, tierWeight: 400, ageMaxMs: 20_000 };
    expect(order({ ...settings, priorityEveryMs: 100_000 }, text)).toBe("A@1 F@21 E@31");
    expect(order({ ...settings, priorityEveryMs: 1_000 }, text)).toBe("A@1 E@21 F@31");
  });
  test("points for fair share pull the team forward that has used less", () =>
    expect(
      order(
        { ...WEIGHTS, fairShareWeight: 1_000, priorityEveryMs: 1_000 },
        `1 gpus
         team red
         team blue
         0s A x1 20s team red
         1s B x1 10s team red
         2s C x1 10s team blue`,
      ),
    ).toBe("A@0 C@20 B@30"));
});

test.each([
  "smallest",
  "aging",
  "multifactor",
  "fairShare",
  "fairTree",
  "leastUsage",
  "drf",
  "maxMin",
  "leastAttained",
  "tiresias",
  "themis",
  "gavel",
])("snapshots, slices and rewinds leave a run under %s as it is", (name) => {
  const jobs = Array.from(
    { length: 24 },
    (_, i) =>
      `${i}s J${i} x${1 + ((i * 7) % 4)} ${3 + ((i * 5) % 11)}s limit ${4 + ((i * 5) % 13)}s team ${i % 3 === 0 ? "red" : "blue"} user u${i % 5} tier ${i % 4}`,
  );
  const text = ["4 gpus", "team red shares 2", "team blue", ...jobs].join("\n");
  const settings = { order: name, backfill: "skip", roundMs: 2_000, attainedHours: 0.002 };
  const pools = [labPool({ ...settings, halfLifeMs: 20_000, priorityEveryMs: 3_000 })];
  sameWithSnapshots(tenancyWorld(text, { pools }));
});
