/** The keys of slurm.conf about priority and fair share: slurm.conf(5) and priority_multifactor of Slurm 22.05. */
import type { ParameterRow } from "./parameterKinds.ts";
import { KIND } from "./parameterKinds.ts";

const WEIGHT = { is: "integer", least: 0, most: 4_294_967_295, endless: false } as const;

/** In the order of the form. */
export const PRIORITY_ROWS: readonly ParameterRow[] = [
  [
    "PriorityType",
    {
      is: "choice",
      values: {
        "priority/basic": "basic",
        basic: "basic",
        "priority/multifactor": "multifactor",
        multifactor: "multifactor",
      },
    },
    "priority/basic",
    "priority.type",
    "First come, first served, or a priority from several weighted factors.",
    { sinceNote: "priority/multifactor from Slurm 23.11." },
  ],
  ["PriorityWeightAge", WEIGHT, "0", "priority.weightAge", "Weight of the waiting time."],
  [
    "PriorityWeightAssoc",
    WEIGHT,
    "0",
    "priority.weightAssoc",
    "Weight of the association's priority.",
  ],
  [
    "PriorityWeightFairshare",
    WEIGHT,
    "0",
    "priority.weightFairshare",
    "Weight of the fair-share factor.",
  ],
  [
    "PriorityWeightJobSize",
    WEIGHT,
    "0",
    "priority.weightJobSize",
    "Weight of the size of the job.",
  ],
  [
    "PriorityWeightPartition",
    WEIGHT,
    "0",
    "priority.weightPartition",
    "Weight of the partition's PriorityJobFactor.",
  ],
  ["PriorityWeightQOS", WEIGHT, "0", "priority.weightQos", "Weight of the QOS priority."],
  [
    "PriorityWeightTRES",
    KIND.tresWeights,
    "",
    "priority.weightTres",
    "Weight of each TRES that the job asks for.",
  ],
  [
    "PriorityMaxAge",
    KIND.timeInMinutes,
    "7-0",
    "priority.maxAgeMs",
    "Waiting time at which the age factor reaches 1.",
  ],
  [
    "PriorityCalcPeriod",
    { is: "special", help: "Use minutes from 1 up, or a time in Slurm's notation." },
    "5",
    "priority.calcPeriodMs",
    "Time between two computations of usage and priorities.",
  ],
  [
    "PriorityDecayHalfLife",
    KIND.timeInMinutesEnding,
    "7-0",
    "priority.decayHalfLifeMs",
    "Time in which recorded usage halves; 0 = it does not decay.",
  ],
  [
    "PriorityUsageResetPeriod",
    {
      is: "choice",
      values: {
        NONE: "NONE",
        NOW: "NOW",
        DAILY: "DAILY",
        WEEKLY: "WEEKLY",
        MONTHLY: "MONTHLY",
        QUARTERLY: "QUARTERLY",
        YEARLY: "YEARLY",
      },
    },
    "NONE",
    "priority.usageResetPeriod",
    "When recorded usage is set to 0.",
  ],
  [
    "PriorityFavorSmall",
    KIND.boolean,
    "NO",
    "priority.favorSmall",
    "Whether small jobs get the larger size factor.",
  ],
  [
    "PriorityFlags",
    {
      is: "special",
      help: "Use a list of flags such as NO_FAIR_TREE, MAX_TRES, SMALL_RELATIVE_TO_TIME.",
    },
    "",
    [
      "priority.accrueAlways",
      "priority.calculateRunning",
      "priority.fairTree",
      "priority.smallRelativeToTime",
      "priority.maxTres",
      "priority.noNormalAssoc",
      "priority.noNormalPart",
      "priority.noNormalQos",
      "priority.noNormalTres",
      "priority.incrOnly",
    ],
    "Variants of the computation of priorities.",
  ],
  [
    "FairShareDampeningFactor",
    { is: "integer", least: 1, most: 65_535, endless: false },
    "1",
    "priority.fairShareDampening",
    "Lessens the effect of usage in the classic fair-share formula.",
  ],
];
