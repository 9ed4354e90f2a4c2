/** What `sacctmgr` sets for a QOS or an association, as far as a run heeds it: sacctmgr(1) of Slurm 22.05. −1 clears a limit. */
import type { Parameter, ParameterRow, ParameterScope } from "./parameterKinds.ts";
import { KIND, parameterOf } from "./parameterKinds.ts";
import { OWN_PREEMPT_MODES, PREEMPT_MODE_HELP } from "./preemptMode.ts";

/** Name, shorter spellings, kind, field, sentence: limits that both can have come first. */
type LimitRow = readonly [string, readonly string[], ParameterRow[1], string, string];

const shared: readonly LimitRow[] = [
  ["GrpJobs", [], KIND.count, "grpJobs", "Jobs that run at once, all together."],
  [
    "GrpJobsAccrue",
    [],
    KIND.count,
    "grpJobsAccrue",
    "Waiting jobs whose age counts, all together.",
  ],
  [
    "GrpSubmitJobs",
    ["GrpSubmit"],
    KIND.count,
    "grpSubmitJobs",
    "Jobs waiting or running at once, all together.",
  ],
  ["GrpTRES", [], KIND.tresAmounts, "grpTres", "TRES held at once, all together."],
  [
    "GrpTRESMins",
    [],
    KIND.tresAmounts,
    "grpTresMins",
    "TRES minutes used in the past, all together.",
  ],
  [
    "GrpTRESRunMins",
    [],
    KIND.tresAmounts,
    "grpTresRunMins",
    "TRES minutes that running jobs may still use, all together.",
  ],
  ["GrpWall", [], KIND.timeInMinutes, "grpWallMs", "Run time used in the past, all together."],
  [
    "MaxTRESPerJob",
    ["MaxTRES", "MaxTRESPJ"],
    KIND.tresAmounts,
    "maxTresPerJob",
    "TRES of one job.",
  ],
  [
    "MaxTRESPerNode",
    ["MaxTRESPN"],
    KIND.tresAmounts,
    "maxTresPerNode",
    "TRES of one job on each node.",
  ],
  [
    "MaxTRESMinsPerJob",
    ["MaxTRESMins", "MaxTRESMinsPJ"],
    KIND.tresAmounts,
    "maxTresMinsPerJob",
    "TRES minutes of one job.",
  ],
  [
    "MaxWallDurationPerJob",
    ["MaxWall", "MaxWallDuration", "MaxWallPJ", "MaxWallPerJob"],
    KIND.timeInMinutes,
    "maxWallMs",
    "Time limit of one job.",
  ],
  [
    "MinPrioThreshold",
    ["MinPrioThresh"],
    KIND.count,
    "minPrioThreshold",
    "Priority that a job must have for a start to be planned for it.",
  ],
];

const qosOnly: readonly LimitRow[] = [
  [
    "MaxJobsPerUser",
    ["MaxJobs", "MaxJobsPU"],
    KIND.count,
    "maxJobsPerUser",
    "Jobs of one user that run at once.",
  ],
  [
    "MaxJobsPerAccount",
    ["MaxJobsPA"],
    KIND.count,
    "maxJobsPerAccount",
    "Jobs of one account that run at once.",
  ],
  [
    "MaxJobsAccruePerUser",
    ["MaxJobsAccruePU"],
    KIND.count,
    "maxJobsAccruePerUser",
    "Waiting jobs of one user whose age counts.",
  ],
  [
    "MaxJobsAccruePerAccount",
    ["MaxJobsAccruePA"],
    KIND.count,
    "maxJobsAccruePerAccount",
    "Waiting jobs of one account whose age counts.",
  ],
  [
    "MaxSubmitJobsPerUser",
    ["MaxSubmit", "MaxSubmitJobs", "MaxSubmitJobsPU", "MaxSubmitPU", "MaxSubmitPerUser"],
    KIND.count,
    "maxSubmitJobsPerUser",
    "Jobs of one user waiting or running at once.",
  ],
  [
    "MaxSubmitJobsPerAccount",
    ["MaxSubmitJobsPA", "MaxSubmitPA"],
    KIND.count,
    "maxSubmitJobsPerAccount",
    "Jobs of one account waiting or running at once.",
  ],
  [
    "MaxTRESPerUser",
    ["MaxTRESPU"],
    KIND.tresAmounts,
    "maxTresPerUser",
    "TRES that one user holds at once.",
  ],
  [
    "MaxTRESPerAccount",
    ["MaxTRESPA"],
    KIND.tresAmounts,
    "maxTresPerAccount",
    "TRES that one account holds at once.",
  ],
  [
    "MaxTRESRunMinsPerUser",
    ["MaxTRESRunMinsPU"],
    KIND.tresAmounts,
    "maxTresRunMinsPerUser",
    "TRES minutes that the running jobs of one user may still use.",
  ],
  [
    "MaxTRESRunMinsPerAccount",
    ["MaxTRESRunMinsPA"],
    KIND.tresAmounts,
    "maxTresRunMinsPerAccount",
    "TRES minutes that the running jobs of one account may still use.",
  ],
  [
    "MinTRESPerJob",
    ["MinTRES", "MinTRESPJ"],
    KIND.tresAmounts,
    "minTresPerJob",
    "TRES that a job must ask for.",
  ],
];

const qosRows: readonly ParameterRow[] = [
  ["Priority", KIND.count, "0", "priority", "The QOS' part in the priority of its jobs."],
  [
    "Preempt",
    { is: "special", help: "Use a list of QOS; += adds and -= takes away." },
    "",
    "preempt",
    "QOS whose jobs may be preempted.",
  ],
  [
    "PreemptMode",
    { is: "special", help: `${PREEMPT_MODE_HELP} Or cluster.`, offers: OWN_PREEMPT_MODES },
    "cluster",
    "preemptMode",
    "What happens to jobs of this QOS that give way.",
  ],
  [
    "PreemptExemptTime",
    KIND.time,
    "",
    "preemptExemptMs",
    "Run time before which a job of this QOS is not preempted.",
  ],
  [
    "GraceTime",
    { is: "special", help: "Use a number of seconds." },
    "0",
    "graceMs",
    "Seconds that a preempted job gets to end by itself.",
  ],
  [
    "UsageFactor",
    KIND.decimal,
    "1",
    "usageFactor",
    "By which the usage of its jobs is multiplied.",
  ],
  [
    "UsageThreshold",
    KIND.decimal,
    "0",
    "usageThreshold",
    "Fair share below which no job of this QOS starts.",
  ],
  [
    "LimitFactor",
    KIND.decimal,
    "",
    "limitFactor",
    "By which limits of associations are multiplied for its jobs.",
  ],
  [
    "Flags",
    {
      is: "special",
      help: "Use a list of flags such as DenyOnLimit, NoReserve, OverPartQOS; −1 clears them.",
    },
    "",
    [
      "denyOnLimit",
      "noReserve",
      "noDecay",
      "overPartQos",
      "enforceUsageThreshold",
      "partitionMaxNodes",
      "partitionMinNodes",
      "partitionTimeLimit",
      "requiresReservation",
    ],
    "What the QOS overrides, and DenyOnLimit: jobs past a limit are refused when submitted.",
  ],
];

const associationRows: readonly ParameterRow[] = [
  [
    "Fairshare",
    { is: "special", help: "Use a number of shares, or parent." },
    "1",
    "shares",
    "Shares beside the siblings; parent = the account's own.",
    { aliases: ["Shares"] },
  ],
  ["Priority", KIND.count, "0", "priority", "The association's part in the priority of its jobs."],
  [
    "QosLevel",
    { is: "special", help: "Use a list of QOS; += adds and -= takes away." },
    "normal",
    "qos",
    "QOS that may be used.",
    { aliases: ["QOS"] },
  ],
  ["DefaultQOS", KIND.text, "", "defaultQos", "QOS of jobs that name none."],
  ["DefaultAccount", KIND.text, "", "isDefault", "Account of jobs of this user that name none."],
];

const associationOnly: readonly LimitRow[] = [
  ["MaxJobs", [], KIND.count, "maxJobs", "Jobs that run at once."],
  ["MaxSubmitJobs", ["MaxSubmit"], KIND.count, "maxSubmitJobs", "Jobs waiting or running at once."],
];

function limitOf(scope: ParameterScope, row: LimitRow): Parameter {
  const [name, aliases, kind, field, sentence] = row;
  return parameterOf(scope, [name, kind, "", field, sentence, { aliases }]);
}

/** What `sacctmgr modify qos` can set. */
export const QOS_PARAMETERS: readonly Parameter[] = [
  ...qosRows.map((row) => parameterOf("qos", row)),
  ...[...shared, ...qosOnly].map((row) => limitOf("qos", row)),
];

/** What `sacctmgr modify account` and `modify user` can set. */
export const ASSOCIATION_PARAMETERS: readonly Parameter[] = [
  ...associationRows.map((row) => parameterOf("association", row)),
  ...[...shared, ...associationOnly].map((row) => limitOf("association", row)),
];
