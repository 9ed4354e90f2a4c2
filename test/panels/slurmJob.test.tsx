import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import type { JobFacts } from "../../src/engine/jobFacts.ts";
import type { SlurmJobFacts } from "../../src/model/slurm/jobFacts.ts";
import { SlurmJob } from "../../src/panels/inspector/slurm/SlurmJob.tsx";
import { connectExplain } from "../../src/store/explain.ts";
import { jobStoryOf, momentOf } from "../../src/timeline/jobStory.ts";
import { fixtureFuture, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const stage = fixtureStage(
  2,
  [0, 1].map((submitMin) => ({
    submitMs: submitMin * MINUTE,
    gpus: 16,
    workMs: 60 * MINUTE,
    limitMs: 90 * MINUTE,
    tier: 0,
    name: "vit",
  })),
);
const future = fixtureFuture(stage, 2);
const sibling = (
  name: string,
  isUser: boolean,
  chosen: boolean,
  levelFs: number,
  rank: number,
) => ({
  name,
  isUser,
  chosen,
  normShares: 0.5,
  effectvUsage: 0.25,
  levelFs,
  rank,
});
const FACTS: SlurmJobFacts = {
  jobIdx: 1,
  partition: "main",
  qos: "normal",
  account: "vision",
  user: "ada",
  nodes: 2,
  priority: 3_117,
  prioritySet: false,
  sprio: [
    {
      jobIdx: 1,
      partition: "main",
      priority: 3_117,
      age: 3.5,
      assoc: 0,
      fairshare: 3_000,
      jobSize: 63.5,
      partitionFactor: 50,
      qos: 0,
      nice: 0,
      tres: {},
    },
  ],
  weights: {
    age: 1_000,
    assoc: 0,
    fairshare: 4_000,
    jobSize: 500,
    partition: 200,
    qos: 2_000,
    tres: {},
  },
  fairShare: {
    factor: 0.75,
    users: 4,
    levels: [
      {
        account: "root",
        first: 1,
        count: 2,
        siblings: [
          sibling("vision", false, true, 2, Number.NaN),
          sibling("language", false, false, 1, Number.NaN),
        ],
      },
      {
        account: "vision",
        first: 1,
        count: 2,
        siblings: [
          sibling("ada", true, true, Number.POSITIVE_INFINITY, 3),
          sibling("ben", true, false, 1, 2),
        ],
      },
    ],
  },
  plannedMs: 20 * MINUTE,
  plannedNodes: [0, 1],
  limitMs: 90 * MINUTE,
  array: { id: "7", index: 3, most: 2 },
  restarts: 2,
  submitMs: MINUTE,
  beginMs: MINUTE,
  preemptable: null,
  nextMainMs: Number.POSITIVE_INFINITY,
  nextBackfillMs: 6 * MINUTE,
};

const plain = (element: HTMLElement) => element.textContent?.replaceAll("\u00a0", " ") ?? "";

function show(facts: JobFacts, slurm = true, atMin = 5): void {
  connectExplain({
    explain: () => Promise.resolve(null),
    jobFacts: () => Promise.resolve(facts),
  });
  const story = jobStoryOf(future, 1);
  render(
    <SlurmJob
      stage={stage}
      generation={1}
      jobIdx={1}
      atMs={atMin * MINUTE}
      calendar={undefined}
      story={story}
      moment={momentOf(story, atMin * MINUTE, MINUTE)}
      slurm={slurm}
    />,
  );
}

afterEach(cleanup);

describe("a pending job under Slurm", () => {
  test("has each term as weight × factor = points, without those that have no weight", async () => {
    show({ dependencies: [], lab: null, slurm: FACTS });
    const priority = await screen.findByRole("region", { name: "Priority" });
    const rows = within(priority)
      .getAllByRole("row")
      .map((row) =>
        within(row)
          .queryAllByRole("cell")
          .map((cell) => plain(cell)),
      );
    expect(rows.slice(1)).toEqual([
      ["1000", "0.0035", "4"],
      ["4000", "0.7500", "3000"],
      ["500", "0.1270", "64"],
      ["200", "0.2500", "50"],
      ["2000", "0.0000", "0"],
      ["3117"],
    ]);
    expect(within(priority).queryByText("Assoc")).toBeNull();
  });

  test("is walked to through the Fair Tree, its own line marked at each level", async () => {
    show({ dependencies: [], lab: null, slurm: FACTS });
    const tree = await screen.findByRole("region", { name: "Fair Tree" });
    const marked = within(tree)
      .getAllByRole("row")
      .filter((row) => row.getAttribute("aria-current") === "true");
    expect(marked.map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
      "▸ vision",
      "▸ ada",
    ]);
    expect(plain(tree)).toContain(
      "Rank 3 of 4 users, counted from the last: FairShare 3/4 = 0.750000",
    );
    expect(plain(tree)).toContain("inf");
  });

  test("says its state, its place, its restarts and when Slurm looks next", async () => {
    show({ dependencies: [], lab: null, slurm: FACTS });
    await screen.findByText("vision", { selector: "dd" });
    const words = plain(screen.getByRole("region", { name: "In Slurm’s words" }));
    expect(words).toContain("StatePENDING");
    expect(words).toContain("StartTimeDay 1 00:20:00SchedNodeListnode-[01-02]");
    expect(words).toContain("TimeLimit1:30:00Array7_3, at most 2 at onceRestarts2");
    expect(words).toContain("backfill at Day 1 00:06:00");
  });

  test("held, or with a priority set by hand, has no terms and says why", async () => {
    show({ dependencies: [], lab: null, slurm: { ...FACTS, priority: 0, sprio: [] } });
    expect(await screen.findByText(/a held job has none/)).toBeDefined();
    cleanup();
    show({ dependencies: [], lab: null, slurm: { ...FACTS, prioritySet: true } });
    expect(await screen.findByText(/no term counts/)).toBeDefined();
  });
});

test("what a job depends on is listed in any pool, with how far it has come while it waits", async () => {
  const edge = { jobIdx: 1, onJobIdx: 0, delayMs: 0, anyOf: false, singleton: false };
  show(
    { dependencies: [{ ...edge, kind: "afterOk", state: "open" }], lab: null, slurm: null },
    false,
  );
  const list = await screen.findByRole("region", { name: "Depends on" });
  expect(plain(list)).toBe("Depends onafterok:1 not yet");
  expect(screen.queryByRole("region", { name: "In Slurm’s words" })).toBeNull();
});
