/** Settings of the lab's orders, of sharing and of the auction. */
import type { LabOrder } from "../../model/policy.ts";
import type { SettingSpec } from "../settingSpec.ts";

/** Label and sentence of each order. */
export const ORDER_SENTENCES: { readonly [O in LabOrder]: readonly [string, string] } = {
  fcfs: ["First come, first served", "The job that was submitted first is the next to start."],
  shortest: [
    "Shortest first",
    "The job with the smallest time limit, or what else is known of its run time, is the next to start.",
  ],
  tiers: [
    "Priority tiers",
    "Jobs of a higher tier come first; within a tier, first come, first served.",
  ],
  smallest: ["Smallest first", "The job that asks for the fewest devices is the next to start."],
  largest: ["Largest first", "The job that asks for the most devices is the next to start."],
  priority: ["Priority", "The job with the largest number as its priority is the next to start."],
  aging: ["Tiers with aging", "As priority tiers, but a job rises while it waits."],
  multifactor: [
    "Multifactor",
    "Points for age, fair share, size and tier are added up; most points first.",
  ],
  leastSlack: [
    "Least slack",
    "The job with the least time to lose before its deadline; without a deadline, last.",
  ],
  highestBid: ["Highest bid", "The job that offers most for a device-hour is the next to start."],
  fairShare: [
    "Fair share",
    "Whoever has used least for its shares is next; past usage fades (classic fair share).",
  ],
  fairTree: [
    "Fair Tree",
    "Fair share level by level: no member of a team that used less stands behind one of a team that used more.",
  ],
  leastUsage: [
    "Priority, then least usage",
    "The largest priority; among equal ones the user who has used least, past usage fading.",
  ],
  drf: [
    "Dominant resource fairness",
    "Whoever holds the smallest part of the resource it holds most of is next (Ghodsi et al., NSDI 2011).",
  ],
  maxMin: ["Max-min", "Whoever holds the fewest devices for its shares is next."],
  leastAttained: [
    "Least attained service",
    "The job that has been given the least device time so far is next.",
  ],
  tiresias: [
    "Tiresias",
    "Device time so far sorts jobs into few queues, first come, first served in each (Gu et al., NSDI 2019).",
  ],
  themis: [
    "Themis",
    "The job whose finish is delayed most, against having its devices alone, is next (Mahajan et al., NSDI 2020).",
  ],
  gavel: [
    "Gavel",
    "Each job gets its share of time on each device model, max-min over progress (Narayanan et al., OSDI 2020).",
  ],
};

const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;

export const ORDER_SETTINGS: readonly SettingSpec[] = [
  {
    key: "halfLifeMs",
    label: "Half-life of usage",
    sentence: "After this time past usage counts half; 0 = it never fades.",
    kind: "duration",
    standard: 7 * 24 * HOUR_MS,
    least: 0,
    most: YEAR_MS,
    group: "Sharing",
    when: { key: "order", is: ["fairShare", "fairTree", "leastUsage", "multifactor"] },
  },
  {
    key: "shareOf",
    label: "Shares of",
    sentence: "Whose usage is compared.",
    kind: "enum",
    standard: "team",
    options: [
      {
        value: "team",
        label: "Teams",
        sentence: "Teams share; within a team, first come, first served.",
      },
      { value: "user", label: "Users", sentence: "Users share, whatever their team." },
      { value: "tier", label: "Tiers", sentence: "Tiers share." },
    ],
    group: "Sharing",
    when: {
      key: "order",
      is: ["fairShare", "drf", "maxMin", "multifactor"],
    },
  },
  {
    key: "queuedWeight",
    label: "Weight of queued demand",
    sentence:
      "Device-hours waiting count this much beside device-hours used, so that who asks for little goes first.",
    kind: "number",
    standard: 0,
    least: 0,
    most: 100,
    group: "Sharing",
    when: { key: "order", is: ["fairShare", "fairTree"] },
  },
  {
    key: "tiersFirst",
    label: "Tiers first",
    sentence: "Jobs of a higher tier come first; the order holds within a tier.",
    kind: "boolean",
    standard: false,
    group: "Order",
  },
  {
    key: "agingMs",
    label: "Aging",
    sentence: "A job rises by one tier for each time it has waited so long; 0 = never.",
    kind: "duration",
    standard: 24 * HOUR_MS,
    least: 0,
    most: YEAR_MS,
    group: "Order",
    when: { key: "order", is: ["aging"] },
  },
  ...(
    [
      ["ageWeight", "Weight of age", 1_000, "Points for a full age."],
      ["fairShareWeight", "Weight of fair share", 10_000, "Points for a fair-share factor of 1."],
      ["sizeWeight", "Weight of size", 0, "Points for asking for the whole cluster."],
      ["tierWeight", "Weight of tier", 10_000, "Points for the highest tier; the lowest has none."],
    ] as const
  ).map(
    ([key, label, standard, sentence]): SettingSpec => ({
      key,
      label,
      sentence,
      kind: "integer",
      standard,
      least: 0,
      most: 1_000_000_000,
      unit: "points",
      group: "Order",
      when: { key: "order", is: ["multifactor"] },
    }),
  ),
  {
    key: "ageMaxMs",
    label: "Full age",
    sentence: "Waiting longer than this earns no more points.",
    kind: "duration",
    standard: 7 * 24 * HOUR_MS,
    least: 1,
    most: YEAR_MS,
    group: "Order",
    when: { key: "order", is: ["multifactor"] },
  },
  {
    key: "priorityEveryMs",
    label: "Points anew",
    sentence: "Points of waiting jobs are computed anew at multiples of this time.",
    kind: "duration",
    standard: 300_000,
    least: 1_000,
    most: YEAR_MS,
    group: "Order",
    when: { key: "order", is: ["multifactor"] },
  },
  {
    key: "roundMs",
    label: "Round",
    sentence:
      "At multiples of this time running jobs save and give way to jobs that stand before them now; 0 = nobody is stopped.",
    kind: "duration",
    standard: 360_000,
    least: 1_000,
    orZero: true,
    most: YEAR_MS,
    group: "Order",
    when: { key: "order", is: ["leastAttained", "tiresias", "themis", "gavel"] },
  },
  {
    key: "attainedQueues",
    label: "Queues",
    sentence: "Number of queues that device time so far sorts jobs into.",
    kind: "integer",
    standard: 2,
    least: 1,
    most: 32,
    unit: "queues",
    group: "Order",
    when: { key: "order", is: ["tiresias"] },
  },
  {
    key: "attainedHours",
    label: "First queue up to",
    sentence:
      "Device-hours after which a job leaves the first queue; each further one takes ten times as much.",
    kind: "number",
    standard: 1,
    least: 0.001,
    most: 1_000_000,
    unit: "device-hours",
    group: "Order",
    when: { key: "order", is: ["tiresias"] },
  },
  {
    key: "promoteFactor",
    label: "Back to the first queue",
    sentence:
      "A job that has waited this many times as long as it has run goes back to the first queue; 0 = never.",
    kind: "number",
    standard: 8,
    least: 0,
    most: 1_000_000,
    group: "Order",
    when: { key: "order", is: ["tiresias"] },
  },
  {
    key: "speedsKnown",
    label: "Speeds known",
    sentence:
      "The allocation knows how fast a job is on each device model; off, all count as the same.",
    kind: "boolean",
    standard: true,
    group: "Order",
    when: { key: "order", is: ["gavel"] },
  },
  {
    key: "quota",
    label: "Quotas",
    sentence: "How the quotas of teams hold.",
    kind: "enum",
    standard: "none",
    options: [
      { value: "none", label: "Ignored", sentence: "Quotas are not looked at." },
      { value: "static", label: "Static", sentence: "A team never uses more than its quota." },
      {
        value: "borrow",
        label: "Borrowing",
        sentence:
          "A team uses what others leave idle, within its borrowing limit and their lending limits; what is lent comes back only when it ends.",
      },
      {
        value: "reclaim",
        label: "Borrowing with reclaim",
        sentence:
          "As borrowing, and a team that is below its quota takes back what others borrowed.",
      },
      {
        value: "auction",
        label: "Hard quota, auctioned rest",
        sentence:
          "Quota is reserved; what nobody uses of it is auctioned and can be taken back at any time.",
      },
    ],
    group: "Sharing",
  },
  {
    key: "reclaimTo",
    label: "Reclaim up to",
    sentence: "How far a team that has work takes back what others use beyond their due.",
    kind: "enum",
    standard: "quota",
    options: [
      {
        value: "quota",
        label: "Its quota",
        sentence: "Who is at its quota waits until others end.",
      },
      {
        value: "fairShare",
        label: "Its fair share",
        sentence:
          "Quota first, then what is left by shares among teams that have work for it (weighted max-min).",
      },
    ],
    group: "Sharing",
    when: { key: "quota", is: ["reclaim"] },
  },
  {
    key: "auctionEveryMs",
    label: "Clearing",
    sentence: "Time between two auctions.",
    kind: "duration",
    standard: 15 * 60_000,
    least: 1_000,
    most: YEAR_MS,
    group: "Auction",
    when: { key: "quota", is: ["auction"] },
  },
  {
    key: "refillEveryMs",
    label: "Refill of budgets",
    sentence: "Time between two refills of the teams’ budgets; 0 = never.",
    kind: "duration",
    standard: 24 * HOUR_MS,
    least: 1_000,
    orZero: true,
    most: YEAR_MS,
    group: "Auction",
    when: { key: "quota", is: ["auction"] },
  },
  {
    key: "burstMs",
    label: "Longest burst",
    sentence: "Won capacity is held at most so long; then the job is queued again.",
    kind: "duration",
    standard: 4 * HOUR_MS,
    least: 1_000,
    most: YEAR_MS,
    group: "Auction",
    when: { key: "quota", is: ["auction"] },
  },
  {
    key: "bidDefault",
    label: "Bid of jobs without one",
    sentence: "Credits for a device-hour.",
    kind: "number",
    standard: 1,
    least: 0,
    most: 1_000_000_000,
    unit: "credits",
    group: "Auction",
    when: { key: "quota", is: ["auction"] },
  },
];
