/** Settings of what the scheduler knows of run times. */
import type { SettingSpec } from "../settingSpec.ts";

export const ESTIMATE_SETTINGS: readonly SettingSpec[] = [
  {
    key: "runTimes",
    label: "Known of run times",
    sentence: "What plans go by, and the orders shortest first and least slack.",
    kind: "enum",
    standard: "limit",
    options: [
      {
        value: "limit",
        label: "The user’s limit",
        sentence: "A job is expected to run to its time limit.",
      },
      { value: "exact", label: "Exact", sentence: "The real run time, as if it were known." },
      { value: "factor", label: "Limit ÷ factor", sentence: "The limit divided by a factor." },
      {
        value: "noisy",
        label: "Noisy",
        sentence: "The real run time times a log-normal error that belongs to the job.",
      },
      {
        value: "history",
        label: "The user’s history",
        sentence:
          "Mean of the user’s last two run times, at most the limit; corrected when exceeded (Tsafrir, Etsion, Feitelson 2007).",
      },
      {
        value: "none",
        label: "Nothing",
        sentence: "No end is known: nobody may start ahead by ending in time.",
      },
    ],
    group: "Run times",
  },
  {
    key: "estimateFactor",
    label: "Factor",
    sentence: "The limit is divided by it.",
    kind: "number",
    standard: 2,
    least: 0.01,
    most: 1_000,
    group: "Run times",
    when: { key: "runTimes", is: ["factor"] },
  },
  {
    key: "estimateNoise",
    label: "Noise",
    sentence: "Standard deviation of the logarithm of the error: 0 = exact, 0.7 = half to double.",
    kind: "number",
    standard: 0.7,
    least: 0,
    most: 10,
    group: "Run times",
    when: { key: "runTimes", is: ["noisy"] },
  },
];
