/** Settings of how later jobs may pass those that do not fit. */
import type { SettingSpec } from "../settingSpec.ts";

const YEAR_MS = 366 * 86_400_000;

export const PASSING_SETTINGS: readonly SettingSpec[] = [
  {
    key: "reservations",
    label: "Reservations",
    sentence: "How many blocked jobs a pass keeps room for; 1 = EASY.",
    kind: "integer",
    standard: 1,
    least: 1,
    most: 1_000_000,
    unit: "jobs",
    group: "Passing",
    when: { key: "backfill", is: ["reservations"] },
  },
  {
    key: "windowMs",
    label: "Look-ahead window",
    sentence: "No reservation later than this from now; 0 = however late.",
    kind: "duration",
    standard: 0,
    least: 0,
    most: YEAR_MS,
    group: "Passing",
    when: { key: "backfill", is: ["reservations"] },
  },
  {
    key: "testDepth",
    label: "Jobs tested",
    sentence: "Waiting jobs that a pass looks at, those that start counted too; 0 = all.",
    kind: "integer",
    standard: 0,
    least: 0,
    most: 1_000_000,
    unit: "jobs",
    group: "Passing",
  },
  {
    key: "passEveryMs",
    label: "Interval of passes",
    sentence: "Passes come only at multiples of this time; 0 = whenever something happens.",
    kind: "duration",
    standard: 0,
    least: 1_000,
    orZero: true,
    most: YEAR_MS,
    group: "Passing",
  },
  {
    key: "passPer",
    label: "One pass for each",
    sentence: "Published simulators of EASY differ in this.",
    kind: "enum",
    standard: "instant",
    options: [
      {
        value: "instant",
        label: "Instant",
        sentence: "One pass after everything that happens at one time.",
      },
      {
        value: "event",
        label: "Event, ends first",
        sentence: "A pass after each single end, then after each arrival.",
      },
      {
        value: "eventArrivalsFirst",
        label: "Event, arrivals first",
        sentence: "A pass after each single arrival, then after each end.",
      },
    ],
    group: "Passing",
  },
  {
    key: "releaseAtEstimate",
    label: "Free at the estimate",
    sentence:
      "A run whose estimate ends now counts as free from the first pass of the instant (with a pass for each event).",
    kind: "boolean",
    standard: false,
    group: "Passing",
    when: { key: "passPer", is: ["event", "eventArrivalsFirst"] },
  },
  {
    key: "staleReservation",
    label: "Reservation set once",
    sentence: "The head keeps the start it was given when it became head, though runs end early.",
    kind: "boolean",
    standard: false,
    group: "Passing",
    when: { key: "backfill", is: ["easy"] },
  },
  {
    key: "extra",
    label: "Use what the head leaves",
    sentence:
      "A later job that runs past the shadow time may use devices that the head will not need.",
    kind: "boolean",
    standard: true,
    group: "Passing",
    when: { key: "backfill", is: ["easy"] },
  },
  {
    key: "judgedByRunTime",
    label: "Candidates judged by run time",
    sentence:
      "Whether a later job ends in time is seen from its real run time: a known fault of one published simulator.",
    kind: "boolean",
    standard: false,
    group: "Passing",
    when: { key: "backfill", is: ["easy"] },
  },
];
