/** Settings of preemption. */
import type { SettingSpec } from "../settingSpec.ts";

const YEAR_MS = 366 * 86_400_000;
const ACTIVE = { key: "preemption", is: ["cancel", "requeue", "suspend", "graceful", "wait"] };
const duration = (
  key: string,
  label: string,
  standard: number,
  sentence: string,
  always = false,
): SettingSpec => ({
  key,
  label,
  sentence,
  kind: "duration",
  standard,
  least: 0,
  most: YEAR_MS,
  group: "Preemption",
  ...(always ? {} : { when: ACTIVE }),
});

export const PREEMPTION_SETTINGS: readonly SettingSpec[] = [
  {
    key: "preemption",
    label: "Preemption",
    sentence: "What happens to running jobs of lower tiers when a job does not fit.",
    kind: "enum",
    standard: "none",
    options: [
      { value: "none", label: "None", sentence: "Running jobs are left alone." },
      { value: "cancel", label: "Cancel", sentence: "Victims end and do not come back." },
      {
        value: "requeue",
        label: "Requeue",
        sentence: "Victims are queued again and start from their last checkpoint.",
      },
      {
        value: "suspend",
        label: "Suspend",
        sentence:
          "Victims stop, keep their devices’ memory image and go on later on the same devices.",
      },
      {
        value: "graceful",
        label: "Graceful",
        sentence: "Victims are told, have a grace period to save, and are queued again.",
      },
      {
        value: "wait",
        label: "Wait for completion",
        sentence: "Nobody is stopped; the room of running jobs is promised when they end.",
      },
    ],
    group: "Preemption",
  },
  duration("graceMs", "Grace", 300_000, "Time a victim has to save and end."),
  {
    key: "victims",
    label: "Victims",
    sentence: "Who gives way first.",
    kind: "enum",
    standard: "fewestJobs",
    options: [
      {
        value: "fewestJobs",
        label: "Fewest jobs",
        sentence: "As few jobs as possible, then the lowest priority, then the least lost work.",
      },
      {
        value: "lowestPriority",
        label: "Lowest priority",
        sentence: "The lowest priority, then whoever stands last in the queue.",
      },
      {
        value: "youngest",
        label: "Youngest",
        sentence: "The lowest priority, the latest start first.",
      },
      {
        value: "leastLostWork",
        label: "Least lost work",
        sentence: "Who loses the fewest device-hours since its last checkpoint.",
      },
      {
        value: "mostOverShare",
        label: "Most over share",
        sentence:
          "Whose team (or user) uses most beyond its share, where the order goes by shares; under all other orders there are none, and the youngest gives way.",
      },
    ],
    group: "Preemption",
    when: ACTIVE,
  },
  {
    key: "preemptUnit",
    label: "What is taken",
    sentence: "Whole jobs, whole nodes, or single devices.",
    kind: "enum",
    standard: "job",
    options: [
      { value: "job", label: "Whole jobs", sentence: "A victim gives back everything." },
      { value: "node", label: "Whole nodes", sentence: "Everything on a node gives way." },
      {
        value: "device",
        label: "Single devices",
        sentence:
          "Only as many devices as are missing, at once and without notice, whatever the way to give way: an elastic job shrinks, a rigid gang hangs until its collective times out, then fails.",
      },
    ],
    group: "Preemption",
    when: ACTIVE,
  },
  {
    key: "newerEqual",
    label: "Equal and newer too",
    sentence:
      "Jobs of equal priority that were submitted later, and stand behind in the queue, may be victims; under orders by shares or attained service nobody is.",
    kind: "boolean",
    standard: false,
    group: "Preemption",
    when: ACTIVE,
  },
  {
    key: "onlyIfUseful",
    label: "Only if useful",
    sentence: "Nobody is stopped unless the job can then start.",
    kind: "boolean",
    standard: true,
    group: "Preemption",
    when: ACTIVE,
  },
  {
    key: "shrinkFirst",
    label: "Shrink elastic jobs first",
    sentence:
      "Elastic victims give members before others are stopped, also to quotas that take back.",
    kind: "boolean",
    standard: true,
    group: "Preemption",
  },
  duration(
    "minRunMs",
    "Minimum run time",
    0,
    "A run is safe for its first so long, also from quotas that take back.",
    true,
  ),
  duration(
    "exemptMs",
    "Exempt after",
    0,
    "A run that has gone on so long is safe, also from quotas that take back; 0 = never.",
    true,
  ),
  duration(
    "cooldownMs",
    "Cooldown",
    0,
    "A job that was preempted, or taken back from, is safe for so long after it starts again.",
    true,
  ),
  duration(
    "giveUpMs",
    "Give up after",
    0,
    "A victim that has not ended so long after its grace is given up, and another is chosen; 0 = never.",
  ),
  {
    key: "evictionsMost",
    label: "Evictions a job",
    sentence: "A job is preempted, or taken back from, at most so often; 0 = no limit.",
    kind: "integer",
    standard: 0,
    least: 0,
    most: 1_000_000,
    unit: "times",
    group: "Preemption",
  },
];
