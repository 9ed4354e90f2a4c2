/** Settings of elastic jobs: with how many members they run. Without effect where no job is elastic. */
import type { SettingSpec } from "../settingSpec.ts";

const DAY_MS = 86_400_000;

export const ELASTIC_SETTINGS: readonly SettingSpec[] = [
  {
    key: "growElastic",
    label: "Elastic jobs grow",
    sentence:
      "Running elastic jobs get more members while nobody waits for room, and give them back when somebody does.",
    kind: "boolean",
    standard: true,
    group: "Elastic jobs",
  },
  {
    key: "elasticEveryMs",
    label: "Time between growths",
    sentence: "Least time from one change of an elastic job's size to its next growth.",
    kind: "duration",
    standard: 600_000,
    least: 1_000,
    orZero: true,
    most: 366 * DAY_MS,
    group: "Elastic jobs",
    when: { key: "growElastic", is: [true] },
  },
  {
    key: "startSmall",
    label: "Elastic jobs start small",
    sentence:
      "At the head of the queue, an elastic job starts with fewer members where it does not fit whole.",
    kind: "boolean",
    standard: true,
    group: "Elastic jobs",
  },
];
