/** Fields of the ground that jobs run on: failures, windows, rented nodes, network, storage, and the run itself. */
import type { FieldSpec, LeafSpec } from "../../../ui/fields/fieldSpec.ts";

export const FAILURE_SPECS: readonly LeafSpec[] = [
  {
    key: "of",
    label: "What fails",
    sentence: "Each unit fails by itself: every GPU, every node or every leaf switch.",
    words: { gpu: "each GPU", node: "each node", leaf: "each leaf" },
  },
  { key: "mtbfMs", label: "Mean time between", sentence: "Of one unit, not of the whole cluster." },
  { key: "repairMs", label: "Repair", sentence: "Median time until it is back." },
  {
    key: "repairSpread",
    label: "Spread of repair",
    sentence: "84th percentile ÷ median: 1 = always the same.",
  },
  {
    key: "correlated",
    label: "Takes neighbours along",
    sentence: "Part of failures, 0 to 1, that hit the whole leaf (node) or the whole node (GPU).",
  },
  {
    key: "nodeGroups",
    label: "Node groups",
    sentence: "Where it happens.",
    names: "nodeGroups",
    absent: "none ticked: all",
  },
];

export const WINDOW_SPECS: readonly LeafSpec[] = [
  { key: "name", label: "Name", sentence: "A name of its own." },
  {
    key: "kind",
    label: "Kind",
    sentence: "Kept for some jobs, or for nobody.",
    words: { reserved: "reserved", maintenance: "maintenance" },
  },
  { key: "startMs", label: "Begins", sentence: "Time from the start of the run." },
  { key: "durationMs", label: "Lasts", sentence: "From begin to end." },
  { key: "everyMs", label: "Again every", sentence: "Empty: once.", absent: "once" },
  {
    key: "nodeCount",
    label: "Number of nodes",
    sentence: "The scheduler picks them.",
    absent: "–",
  },
  {
    key: "nodes",
    label: "Nodes by name",
    sentence: "A host list such as gpu-[000-003]; instead of a number.",
    absent: "–",
  },
  { key: "pool", label: "Pool", sentence: "Where its nodes are.", names: "pools", absent: "any" },
  {
    key: "announcedMs",
    label: "Announced at",
    sentence: "The scheduler knows of it from then on.",
    absent: "always known",
  },
  { key: "kill", label: "Evict at begin", sentence: "What runs there when it begins is evicted." },
  { key: "tiers", label: "For tiers", sentence: "Who may use it.", names: "tiers" },
  { key: "teams", label: "For teams", sentence: "Who may use it.", names: "teams" },
  { key: "queues", label: "For queues", sentence: "Who may use it.", names: "queues" },
  { key: "users", label: "For users", sentence: "With commas between.", absent: "–" },
];

export const NODE_GROUP_SPECS: readonly FieldSpec[] = [
  {
    key: "pricePerGpuHour",
    label: "Price",
    unit: "a GPU-hour",
    sentence: "What one GPU costs an hour; empty: not counted.",
    absent: "none",
  },
  {
    key: "burst",
    label: "Rented when needed",
    sentence: "Its nodes do not exist until work has waited for them.",
    first: {},
    fields: [
      {
        key: "afterWaitMs",
        label: "Rent after",
        sentence: "The head of the queue has waited so long.",
      },
      { key: "startupMs", label: "Start-up", sentence: "From the order until the node is there." },
      { key: "idleTimeoutMs", label: "Give back after", sentence: "Idle for so long." },
      {
        key: "spotMeanMs",
        label: "Spot: taken after",
        sentence: "Mean time until the cloud takes a node back; empty: never.",
        absent: "never",
      },
      { key: "spotNoticeMs", label: "Notice", sentence: "Between the word and the end." },
    ],
  },
];

export const NETWORK_SPECS: readonly LeafSpec[] = [
  {
    key: "nvlinkGBps",
    label: "NVLink",
    unit: "GB/s",
    sentence: "One direction, a GPU, within one NVSwitch domain.",
  },
  { key: "nvlinkMicros", label: "Its latency", unit: "µs", sentence: "Of one step." },
  { key: "nicGBps", label: "Network card", unit: "GB/s", sentence: "One direction, one card." },
  { key: "nicMicros", label: "Its latency", unit: "µs", sentence: "Of one hop." },
  { key: "nicsPerNode", label: "Cards a node", unit: "cards", sentence: "Shared by its GPUs." },
  {
    key: "oversubscription",
    label: "Oversubscription",
    sentence: "Down links ÷ up links of a leaf: 1 = none.",
  },
  { key: "rails", label: "Rails", sentence: "Each card on a rail of its own." },
];

export const STORAGE_SPECS: readonly LeafSpec[] = [
  {
    key: "writeGBps",
    label: "Writing",
    unit: "GB/s",
    sentence: "Shared by all jobs that save at the same time.",
  },
  {
    key: "readGBps",
    label: "Reading",
    unit: "GB/s",
    sentence: "Shared by all jobs that restore; empty: as for writing.",
    absent: "as writing",
  },
];

export const RUN_SPECS: readonly LeafSpec[] = [
  {
    key: "horizonMs",
    label: "The run ends after",
    sentence: "Empty: when the last job has ended. Services need an end.",
    absent: "the last job",
  },
  {
    key: "killAtLimit",
    label: "Kill at the time limit",
    sentence: "Off: a job that exceeds its limit runs on.",
  },
  {
    key: "seed",
    label: "Seed",
    sentence: "Another number draws other arrivals, run times and failures.",
  },
];
