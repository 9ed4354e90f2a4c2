/** Settings of the lab's orders, of sharing and of the auction. */
import type { SettingSpec } from "../settingSpec.ts";

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
    when: { key: "order", is: ["fairShare", "fairTree", "multifactor"] },
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
      is: ["fairShare", "drf", "maxMin", "leastAttained", "finishTimeFairness"],
    },
  },
  {
    key: "queuedWeight",
    label: "Weight of queued demand",
    sentence:
      "device-hours waiting count this much beside device-hours used, so that who asks for little goes first.",
    kind: "number",
    standard: 0,
    least: 0,
    most: 100,
    group: "Sharing",
    when: { key: "order", is: ["fairShare"] },
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
    least: 0,
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
