/** Who may use how much: cells of the tables of tiers and teams. */

import { nameOf } from "../../../src/model/jobs.ts";
import { spokenBar, tipOf } from "../../../src/panels/gantt/barWords.ts";
import type { Stage } from "../../../src/protocol/messages.ts";
import { parseSearch, searchJobs } from "../../../src/timeline/jobSearch.ts";
import type { FieldCase } from "./fieldCase.ts";
import { type Ran, runs, storyOf } from "./ran.ts";
import { doc, job, machine, pools, SEC, tiers } from "./words.ts";

const ONE = machine(1, 1);
const TWO = machine(1, 2);
const FOUR = machine(1, 4);

/** The bar of a job's first run, as the page says it. */
function barOf(run: Ran, name: string) {
  const { jobIdx, rects } = storyOf(run, name);
  const { startMs, endMs, device } = rects[0]!;
  return { stage: run.world as unknown as Stage, bar: { jobIdx, startMs, endMs, device, bits: 2 } };
}
const title = (name: string) => (run: Ran) => {
  const { stage, bar } = barOf(run, name);
  return tipOf(stage, bar, 1, 0, undefined).title;
};
const spoken = (name: string) => (run: Ran) => {
  const { stage, bar } = barOf(run, name);
  return spokenBar(stage, bar, "node", undefined).split(", ")[1];
};

/** Jobs that the search of the page finds. */
const found = (text: string) => (run: Ran) =>
  [...searchJobs(run.world, run, 0, parseSearch(text))].map((jobIdx) =>
    nameOf(run.world.jobs.ids, jobIdx),
  );

const single = doc(ONE, [job("A", 0, 4, { gpus: 1, tier: "high" })], { tiers: tiers() });

/** A of the lowest tier runs when U comes. */
const urgent = (settings: Parameters<typeof pools>[0], more: object = {}) =>
  doc(ONE, [job("A", 0, 10, { gpus: 1, tier: "low" }), job("U", 3, 4, { gpus: 1, tier: "high" })], {
    tiers: [...tiers().slice(0, 3), { ...tiers()[3]!, ...more }],
    pools: pools(settings),
  });
const requeues = urgent({ order: "tiers", preemption: "requeue" }, { graceMs: 2 * SEC });
const see = runs("A", "U");
const requeued = { A: "0-3 preempted, 7-17", U: "3-7" };

export const TIER_CASES: readonly FieldCase[] = [
  {
    at: "/tiers/3/id",
    base: doc(ONE, [job("A", 0, 4, { gpus: 1, kind: "ci" })], { tiers: tiers() }),
    see: (run) => Object.keys(run.metrics.byTier),
    gives: ["low"],
    to: [["spot", ["spot"]]],
  },
  {
    at: "/tiers/1/name",
    base: single,
    see: spoken("A"),
    gives: "tier High",
    to: [["Important", "tier Important"]],
  },
  { at: "/tiers/1/letter", base: single, see: title("A"), gives: "H A", to: [["X", "X A"]] },
  {
    // A names no tier: by its kind it is of the lowest and stands behind B, else of the standard one and before B.
    at: "/tiers/3/kinds",
    base: doc(
      ONE,
      [
        job("X", 0, 5, { gpus: 1 }),
        job("A", 1, 3, { gpus: 1, kind: "ci" }),
        job("B", 2, 3, { gpus: 1, tier: "normal" }),
      ],
      { tiers: tiers(), pools: pools({ order: "tiers" }) },
    ),
    see: runs("A", "B"),
    gives: { A: "8-11", B: "5-8" },
    to: [[undefined, { A: "5-8", B: "8-11" }]],
  },
  {
    at: "/tiers/1/mayPreempt",
    base: requeues,
    see,
    gives: requeued,
    to: [[["normal"], { A: "0-10", U: "10-14" }]],
  },
  {
    at: "/tiers/3/preemptMode",
    base: requeues,
    see,
    gives: requeued,
    to: [
      ["cancel", { A: "0-3 preempted", U: "3-7" }],
      ["suspend", { A: "0-14", U: "3-7" }],
      ["graceful", { A: "0-5 preempted, 9-19", U: "5-9" }],
      ["wait", { A: "0-10", U: "10-14" }],
    ],
  },
  {
    at: "/tiers/3/preemptMode",
    base: urgent({ order: "tiers", preemption: "cancel" }),
    see,
    gives: { A: "0-3 preempted", U: "3-7" },
    to: [["requeue", requeued]],
  },
  {
    at: "/tiers/3/graceMs",
    base: urgent({ order: "tiers", preemption: "graceful", graceMs: 2 * SEC }),
    see,
    gives: { A: "0-5 preempted, 9-19", U: "5-9" },
    to: [[4 * SEC, { A: "0-7 preempted, 11-21", U: "7-11" }]],
  },
  {
    // Nobody preempts here: the guarantee alone takes the devices back.
    at: "/tiers/1/guaranteedGpus",
    base: urgent({}),
    see,
    gives: { A: "0-10", U: "10-14" },
    to: [[1, { A: "0-3 reclaimed, 7-17", U: "3-7" }]],
  },
  {
    at: "/tiers/2/capGpus",
    base: doc(
      TWO,
      ["A", "B"].map((id) => job(id, 0, 4, { gpus: 1, tier: "normal" })),
      { tiers: tiers() },
    ),
    see: runs("A", "B"),
    gives: { A: "0-4", B: "0-4" },
    to: [[1, { A: "0-4", B: "4-8" }]],
  },
  {
    // A waits 0 s, B 4 s.
    at: "/tiers/2/targetWaitMs",
    base: doc(
      ONE,
      ["A", "B"].map((id) => job(id, 0, 4, { gpus: 1, tier: "normal" })),
      { tiers: tiers() },
    ),
    see: ({ metrics }) => metrics.byTier.normal!.targetWaitMet,
    gives: null,
    to: [
      [3 * SEC, 0.5],
      [4 * SEC, 1],
    ],
  },
  {
    // X has put red behind blue; where the tier of X is free, A stands first, as it came.
    at: "/tiers/3/usageFactor",
    base: doc(
      ONE,
      [
        job("X", 0, 10, { gpus: 1, tier: "low", team: "red" }),
        job("A", 1, 4, { gpus: 1, team: "red" }),
        job("B", 2, 4, { gpus: 1, team: "blue" }),
      ],
      {
        tiers: tiers(),
        teams: [{ id: "red" }, { id: "blue" }],
        pools: pools({ order: "fairShare" }),
      },
    ),
    see: runs("A", "B"),
    gives: { A: "14-18", B: "10-14" },
    to: [[0, { A: "10-14", B: "14-18" }]],
  },
];

/** Four devices; red has asked for two pairs, blue for nothing. */
const quotas = (quota: string) =>
  doc(FOUR, [job("A", 0, 5, { gpus: 2, team: "red" }), job("B", 0, 4, { gpus: 2, team: "red" })], {
    teams: [
      { id: "red", quotaGpus: 2 },
      { id: "blue", quotaGpus: 2 },
    ],
    pools: pools({ quota }),
  });
const together = { A: "0-5", B: "0-4" };
const inTurn = { A: "0-5", B: "5-9" };

export const TEAM_CASES: readonly FieldCase[] = [
  {
    at: "/teams/0/id",
    base: quotas("none"),
    see: (run) => Object.keys(run.metrics.byTeam),
    gives: ["red"],
    to: [["crimson", "refused at /workload/jobs/0/team, /workload/jobs/1/team"]],
  },
  {
    at: "/teams/0/name",
    base: quotas("none"),
    see: found("team:vision"),
    gives: [],
    to: [["Vision", ["A", "B"]]],
  },
  {
    // Without quotas the devices are split by shares: 2 and 2, or 4 · 3/4 = 3 and 1.
    at: "/teams/0/shares",
    base: doc(
      FOUR,
      ["A", "B", "C", "D"].map((id) => job(id, 0, 4, { gpus: 1, team: "red" })),
      { teams: [{ id: "red" }, { id: "blue" }], pools: pools({ quota: "static" }) },
    ),
    see: runs("B", "C", "D"),
    gives: { B: "0-4", C: "4-8", D: "4-8" },
    to: [[3, { B: "0-4", C: "0-4", D: "4-8" }]],
  },
  {
    // X has used a lot, for red. Green has not, but where it belongs to the same faculty as red, blue comes first.
    at: "/teams/3/parent",
    base: doc(
      ONE,
      [
        job("X", 0, 10, { gpus: 1, team: "red" }),
        job("G", 1, 4, { gpus: 1, team: "green" }),
        job("B", 2, 4, { gpus: 1, team: "blue" }),
      ],
      {
        teams: [
          { id: "faculty" },
          { id: "red", parent: "faculty" },
          { id: "blue" },
          { id: "green" },
        ],
        pools: pools({ order: "fairTree" }),
      },
    ),
    see: runs("G", "B"),
    gives: { G: "10-14", B: "14-18" },
    to: [["faculty", { G: "14-18", B: "10-14" }]],
  },
  {
    at: "/teams/0/quotaGpus",
    base: quotas("static"),
    see: runs("A", "B"),
    gives: inTurn,
    to: [[4, together]],
  },
  {
    at: "/teams/0/borrowGpus",
    base: quotas("borrow"),
    see: runs("A", "B"),
    gives: together,
    to: [[1, inTurn]],
  },
  {
    at: "/teams/1/lendGpus",
    base: quotas("borrow"),
    see: runs("A", "B"),
    gives: together,
    to: [[1, inTurn]],
  },
  {
    // A clearing every 4 s. A bids most, as long as red has credits.
    at: "/teams/0/budget",
    base: doc(
      ONE,
      [
        job("A", 0, 3, { gpus: 1, team: "red", bid: 3 }),
        job("B", 0, 3, { gpus: 1, team: "blue", bid: 2 }),
      ],
      {
        teams: [{ id: "red" }, { id: "blue" }],
        pools: pools({ quota: "auction", auctionEveryMs: 4 * SEC }),
        horizonMs: 12 * SEC,
      },
    ),
    see: runs("A", "B"),
    gives: { A: "0-3", B: "4-7" },
    to: [[0, { A: "waits", B: "0-3" }]],
  },
];
