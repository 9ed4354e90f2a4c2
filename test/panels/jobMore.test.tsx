/** What the card of a job says of nodes, priority and cost, in words. */
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import {
  CANDIDATE_RULES,
  type CandidateRule,
  type Candidates,
} from "../../src/model/lab/candidates.ts";
import type { LabJobFacts } from "../../src/model/lab/shares.ts";
import { slurmReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";
import { MEMBER_STATES } from "../../src/model/states.ts";
import {
  funnelLines,
  leftWords,
  rowName,
} from "../../src/panels/inspector/story/candidateWords.ts";
import { costLines } from "../../src/panels/inspector/story/costLines.ts";
import { LabTerms } from "../../src/panels/inspector/story/LabTerms.tsx";
import type { JobCost } from "../../src/timeline/jobCost.ts";
import { fixtureStage } from "./runFixture.ts";

const HOUR = 3_600_000;
const stage = fixtureStage(2, [
  { submitMs: 0, gpus: 8, workMs: HOUR, limitMs: HOUR, tier: 1, name: "vit" },
]);
afterEach(cleanup);
const plain = (text: string) => text.replaceAll("\u00a0", " ");

function found(
  removed: Partial<Record<CandidateRule, number>>,
  more: Partial<Candidates> & { readonly left?: number; readonly members?: number } = {},
): Candidates {
  const { left = 0, members = left, ...rest } = more;
  const gone = CANDIDATE_RULES.map((rule) => removed[rule] ?? 0);
  const nodes = gone.reduce((sum, count) => sum + count, left);
  return {
    rows: [{ by: "class", index: 0, nodes, removed: gone, left, members }],
    unit: "member",
    membersNeeded: 4,
    components: 1,
    inOneRow: false,
    ceiling: 0,
    keptForJobIdx: -1,
    switchesMost: 0,
    ...rest,
  };
}

describe("the funnel of nodes", () => {
  test("says what took nodes away in the order in which it is asked", () => {
    const one = found({ devices: 3, closed: 1, kept: 2 }, { keptForJobIdx: 0 });
    expect(
      funnelLines(one.rows, one, stage).map(({ count, words }) => `${count} ${words}`),
    ).toEqual(["1 drained, down or not there yet", "3 with no GPU free", "2 kept for job 1 vit"]);
    expect(rowName(one.rows[0]!, stage)).toBe("h100 (H100)");
  });

  test("every rule has words of its own", () => {
    const all = found(Object.fromEntries(CANDIDATE_RULES.map((rule) => [rule, 1])));
    const words = funnelLines(all.rows, all, stage).map((line) => line.words);
    expect(new Set(words).size).toBe(CANDIDATE_RULES.length);
  });

  test("ends with what is left, and with what holds it back where nodes are not what it lacks", () => {
    expect(leftWords(found({ closed: 1 }))).toBe("No node is left.");
    expect(plain(leftWords(found({}, { left: 2 })))).toBe(
      "2 nodes are left with room for 2 of its 4 members.",
    );
    expect(
      plain(leftWords(found({}, { left: 5, ceiling: WaitReasonCode.quota, membersNeeded: 1 }))),
    ).toBe("5 nodes are left with room for it. Still it waits: its team’s quota is in use.");
    expect(leftWords(found({}, { left: 5 }))).toContain("It is not nodes that it lacks.");
  });

  test("in Slurm's words counts nodes, GPUs or CPUs, and says what squeue says", () => {
    const two = found({}, { left: 2, unit: "node", membersNeeded: 3 });
    expect(plain(leftWords(two))).toBe("2 nodes are left; it needs 3.");
    const gpus = found({}, { left: 2, members: 12, unit: "gpu", membersNeeded: 16 });
    expect(plain(leftWords(gpus))).toBe("2 nodes are left with 12 GPUs; it needs 16.");
    const behind = {
      unit: "node",
      membersNeeded: 1,
      ceiling: slurmReasonCode("Priority"),
    } as const;
    expect(plain(leftWords(found({}, { left: 1, ...behind })))).toBe(
      "1 node is left; it needs 1. Still it waits: squeue says “Priority”.",
    );
    const apart = found({}, { left: 4, unit: "node", membersNeeded: 4, switchesMost: 1 });
    expect(plain(leftWords(apart))).toContain("all of them under 1 leaf switch.");
  });

  test("where all members must be together the best place counts, not the sum", () => {
    const row = found({}, { left: 3, members: 3 }).rows[0]!;
    const two = { ...found({}), inOneRow: true, rows: [row, { ...row, index: 1 }] };
    expect(plain(leftWords(two))).toContain("room for 3 of its 4 members");
  });
});

describe("the cost", () => {
  const nothing: JobCost = {
    waitedMs: 0,
    waits: 0,
    heldMs: 0,
    byState: Object.fromEntries(MEMBER_STATES.map((state) => [state, 0])) as JobCost["byState"],
    lostMs: 0,
    slowedMs: 0,
    stops: 0,
    suspensions: 0,
    moves: 0,
    slowdown: Number.NaN,
  };

  test("of a job that has neither waited nor run is one line", () => {
    expect(costLines(nothing, [], "GPU", 8)).toEqual([{ name: "Waited", value: "not at all" }]);
  });

  test("names reasons, lost work as a part of what was held, and how often it gave way", () => {
    const cost = {
      ...nothing,
      waitedMs: HOUR,
      waits: 2,
      heldMs: 16 * HOUR,
      lostMs: 4 * HOUR,
      byState: { ...nothing.byState, running: 15 * HOUR, starting: HOUR },
      slowedMs: 120_000,
      stops: 1,
      slowdown: 1.5,
    };
    const reasons = [{ reason: WaitReasonCode.resources, ms: HOUR }];
    expect(
      costLines(cost, reasons, "GPU", 8).map(({ name, value }) => plain(`${name}: ${value}`)),
    ).toEqual([
      "Waited: 1 h in 2 waits, 8.0 GPU-h",
      "too few free: 1 h",
      "Held: 16.0 GPU-h",
      "work lost: 4.0 GPU-h, 25 %",
      "starting up: 1.0 GPU-h, 6 %",
      "Slowed by its placement: 2 m in all",
      "Gave way: stopped 1 time",
      "Time in the system: 1.5 × its run time",
    ]);
  });
});

const FACTS: LabJobFacts = {
  position: 2,
  waitingCount: 3,
  priority: 1_100,
  estimatedEndMs: Number.NaN,
  firstPromiseMs: Number.POSITIVE_INFINITY,
  promiseMs: Number.POSITIVE_INFINITY,
  evictions: 0,
};

describe("a priority", () => {
  test("of several weights is a table of weight, factor and points with its sum", () => {
    const terms = [
      { name: "age", value: 0.5, weight: 1_000 },
      { name: "fairShare", value: 1, weight: 600 },
    ] as const;
    render(<LabTerms facts={{ ...FACTS, terms }} />);
    const row = screen.getByRole("row", { name: /^Age/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map((cell) => plain(cell.textContent)),
    ).toEqual(["1000", "0.5000", "500"]);
    expect(screen.getByRole("row", { name: /^Priority/ }).textContent).toBe("Priority1100");
  });

  test("of a share says parts of the whole, and nothing where there are no terms", () => {
    const terms = [
      { name: "usagePart", value: 0.75 },
      { name: "level", value: 1.5 },
    ] as const;
    const { rerender } = render(<LabTerms facts={{ ...FACTS, terms }} />);
    expect(plain(screen.getByRole("row", { name: /part of all usage/ }).textContent)).toContain(
      "75.0 %",
    );
    rerender(<LabTerms facts={FACTS} />);
    expect(screen.queryByRole("table")).toBeNull();
  });
});
