/** What a job does in its life and asks of its nodes, as fields of the form: everything beside its size and time. */
import { scenarioSchema } from "../../../scenario/schema.ts";
import type { FieldSpec, LeafSpec } from "../../../ui/fields/fieldSpec.ts";
import { schemaAt } from "../../../ui/fields/leaf.ts";

export const JOB_SCHEMA = schemaAt(scenarioSchema, "workload.jobs.0");

const WHO: readonly LeafSpec[] = [
  { key: "kind", label: "Kind", sentence: "A tier may stand for its kind." },
  { key: "user", label: "User", sentence: "Whose share it counts against.", absent: "nobody" },
  {
    key: "queue",
    label: "Queue",
    sentence: "For the routing to pools.",
    names: "queues",
    absent: "none",
  },
  {
    key: "priority",
    label: "Priority",
    sentence: "Larger goes first where the order asks for it.",
    absent: "0",
  },
  {
    key: "bid",
    label: "Bid",
    unit: "credits",
    sentence: "For one GPU-hour, in an auction.",
    absent: "policy",
  },
  {
    key: "deadlineInMs",
    label: "Deadline",
    sentence: "Should be done so long after it is submitted.",
    absent: "none",
  },
];

const PLACE: readonly LeafSpec[] = [
  {
    key: "within",
    label: "Stays within",
    sentence: "Waits until one of these holds all of it.",
    absent: "anywhere",
    words: { leaf: "one leaf", nvswitch: "one NVSwitch domain" },
  },
  {
    key: "gpuModels",
    label: "GPU models",
    sentence: "Any of these; × its speed there.",
    absent: "any",
    as: "models",
  },
  {
    key: "labels",
    label: "Labels of nodes",
    sentence: "Its nodes must have all of them.",
    absent: "any",
    as: "pairs",
  },
  { key: "exclusive", label: "Nodes of its own", sentence: "Nobody else runs on its nodes." },
  { key: "gang", label: "All members together", sentence: "Off: members start as there is room." },
];

const END: readonly LeafSpec[] = [
  { key: "preemptible", label: "May be preempted", sentence: "Off: it is never a victim." },
  {
    key: "maxEvictions",
    label: "Evictions at most",
    unit: "times",
    sentence: "Then it is safe.",
    absent: "no limit",
  },
  {
    key: "requeueAtLimit",
    label: "Goes on after its limit",
    sentence: "Queued again, from what is saved.",
  },
  {
    key: "stages",
    label: "Stages",
    sentence: "So many jobs, each after the last; the work is shared evenly.",
    absent: "one",
  },
  {
    key: "collectiveTimeoutMs",
    label: "Collective time-out",
    sentence: "A gang that has lost members hangs so long, then fails.",
    absent: "at once",
  },
];

export interface LifeGroup {
  readonly title: string;
  readonly specs: readonly FieldSpec[];
}

export const LIFE_GROUPS: readonly LifeGroup[] = [
  { title: "Whose, and how urgent", specs: WHO },
  { title: "Where it runs", specs: PLACE },
  {
    title: "Start and checkpoints",
    specs: [
      {
        key: "startupMs",
        label: "Start-up",
        sentence: "Image pull and container start, before each run.",
        absent: "none",
      },
      {
        key: "checkpoint",
        label: "Saves its state",
        sentence: "What it has done since the last time is lost when it is stopped.",
        first: { every: 1_800_000, costMs: 60_000, restoreMs: 60_000 },
        fields: [
          {
            key: "every",
            label: "Saves",
            sentence: "Run time from one to the next.",
            as: "interval",
          },
          { key: "costMs", label: "Pause to save", sentence: "Where the size does not tell." },
          {
            key: "sizeGiB",
            label: "Size",
            unit: "GiB",
            sentence: "With storage: written at what all share.",
            absent: "–",
          },
          { key: "restoreMs", label: "Restore", sentence: "Reading it back, before work goes on." },
          {
            key: "location",
            label: "Lies on",
            sentence: "On its node: only there it can go on.",
            words: { shared: "shared storage", node: "its node" },
          },
          {
            key: "onSignal",
            label: "Saves when told to stop",
            sentence: "If the grace is long enough.",
          },
        ],
      },
    ],
  },
  {
    title: "Elastic, interactive, communicating",
    specs: [
      {
        key: "elastic",
        label: "Elastic",
        sentence: "Runs with more or fewer members of its first component.",
        first: { minMembers: 1, maxMembers: 16 },
        fields: [
          { key: "minMembers", label: "Least", unit: "members", sentence: "With fewer it waits." },
          { key: "maxMembers", label: "Most", unit: "members", sentence: "It never grows beyond." },
          {
            key: "allowed",
            label: "Only these",
            sentence: "Numbers of members.",
            absent: "all between",
            as: "numbers",
          },
          {
            key: "restart",
            label: "A change costs",
            sentence: "As these restart; none: members come and go.",
          },
          { key: "rendezvousMs", label: "Forming a group", sentence: "Pause at each change." },
          {
            key: "maxRestarts",
            label: "Restarts, most",
            sentence: "Losses of members that it survives.",
            when: { key: "restart", is: ["torchrun"] },
          },
          {
            key: "scaling",
            label: "Scaling",
            sentence: "Speed-up that stays with each doubling; 1 = linear.",
          },
          {
            key: "throughput",
            label: "Measured speed",
            sentence: "By members, beside that of those it asks for: 4: 0.6, 8: 1, 16: 1.7.",
            as: "speeds",
            absent: "by scaling",
          },
          {
            key: "deepspeed",
            label: "DeepSpeed’s sizes",
            sentence: "Only numbers of members that divide one batch evenly (elasticity v0.1).",
            first: { microBatches: [2, 4], maxBatch: 64 },
            fields: [
              {
                key: "microBatches",
                label: "Micro-batches",
                sentence: "Samples that a GPU can take at a time.",
                as: "numbers",
              },
              { key: "maxBatch", label: "Batch, most", unit: "samples", sentence: "Of one step." },
            ],
          },
        ],
      },
      {
        key: "session",
        label: "Interactive session",
        sentence: "Used for a while, then idle until somebody ends it.",
        first: { activeMs: 3_600_000, idleTimeoutMs: 1_800_000 },
        fields: [
          { key: "activeMs", label: "Used for", sentence: "From its start." },
          {
            key: "idleTimeoutMs",
            label: "Idle time-out",
            sentence: "Ended after so long.",
            absent: "its limit",
          },
        ],
      },
      {
        key: "traffic",
        label: "Communicates",
        sentence: "Its speed follows from where it runs, if the scenario has a network.",
        first: { stepMs: 500, allReduceGiB: 2 },
        fields: [
          { key: "stepMs", label: "Computing a step", sentence: "Without communication." },
          {
            key: "allReduceGiB",
            label: "All-reduce",
            unit: "GiB",
            sentence: "Of each member, a step.",
          },
          { key: "algorithm", label: "Algorithm", sentence: "Of the all-reduce." },
          { key: "order", label: "Order of the ring", sentence: "Ranked passes each node once." },
          { key: "overlap", label: "Hidden", sentence: "Part behind computing, 0 to 1." },
        ],
      },
    ],
  },
  { title: "Limits and ends", specs: END },
];

/** Whether a group says something: it is open from the start then. */
export function isUsed(group: LifeGroup, life: object): boolean {
  return group.specs.some(({ key }) => Object.hasOwn(life, key));
}
