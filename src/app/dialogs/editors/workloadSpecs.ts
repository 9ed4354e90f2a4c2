/** Fields of classes of drawn jobs, and the columns of single jobs. Kinds, ranges and defaults are the schema's. */
import type { LeafSpec } from "../../../ui/fields/fieldSpec.ts";

const diurnal = { key: "arrivals.pattern", is: ["diurnal"] } as const;
const bursts = { key: "arrivals.pattern", is: ["bursts"] } as const;

export const CLASS_SPECS: readonly LeafSpec[] = [
  { key: "id", label: "Name", sentence: "Its jobs are numbered behind it." },
  { key: "kind", label: "Kind", sentence: "What its jobs are for." },
  {
    key: "tier",
    label: "Tier",
    sentence: "How important they are.",
    names: "tiers",
    absent: "that of the kind",
  },
  {
    key: "arrivals.perHour",
    label: "Jobs an hour",
    sentence: "Mean over the whole time.",
    section: "Arrivals",
  },
  {
    key: "arrivals.pattern",
    label: "Pattern",
    sentence: "How they are spread over time.",
    words: { poisson: "evenly at random", diurnal: "day and night", bursts: "in bursts" },
  },
  {
    key: "arrivals.dayNight",
    label: "Day against night",
    sentence: "0 = alike, 1 = nothing at night.",
    when: diurnal,
  },
  {
    key: "arrivals.peakHour",
    label: "Busiest hour",
    sentence: "Of the calendar’s day, 0 to 24.",
    when: diurnal,
  },
  { key: "arrivals.weekend", label: "Weekend", sentence: "Rate, as a part of a weekday’s." },
  {
    key: "arrivals.burstJobs",
    label: "Jobs a burst",
    sentence: "Mean of a geometric distribution.",
    when: bursts,
  },
  {
    key: "arrivals.burstMs",
    label: "Length of a burst",
    sentence: "All its jobs are submitted within it.",
    when: bursts,
  },
  { key: "fromMs", label: "From", sentence: "Time from the start of the run." },
  {
    key: "untilMs",
    label: "Until",
    sentence: "Nothing is submitted later.",
    absent: "end of the run",
  },
  {
    key: "gpus",
    label: "GPUs: weight",
    sentence: "Sizes, each with how often it is drawn: 8: 3, 64: 1.",
    as: "weights",
    section: "Sizes and durations",
  },
  {
    key: "wholeNodesFrom",
    label: "Whole nodes from",
    sentence: "Jobs of so many GPUs ask for whole nodes.",
    absent: "never",
  },
  {
    key: "work.shape",
    label: "Run times",
    sentence: "Distribution of the work.",
    words: { lognormal: "log-normal", exponential: "exponential" },
  },
  { key: "work.medianMs", label: "Median", sentence: "Half of the jobs are shorter." },
  {
    key: "work.spread",
    label: "Spread",
    sentence: "84th percentile ÷ median: 1 = all alike.",
    when: { key: "work.shape", is: ["lognormal"] },
  },
  { key: "work.leastMs", label: "At least", sentence: "Shorter ones are lengthened to it." },
  { key: "work.mostMs", label: "At most", sentence: "Longer ones are cut to it." },
  {
    key: "limitFactor",
    label: "Limit ÷ work",
    sentence: "Drawn evenly between two numbers, rounded up to 10 min.",
    as: "numbers",
    section: "Whose they are, and what they ask for",
  },
  {
    key: "teams",
    label: "Teams: weight",
    sentence: "Whose jobs they are: research: 2, product: 1.",
    as: "nameWeights",
    absent: "no team",
  },
  { key: "users", label: "Users", sentence: "In each team." },
  { key: "preemptible", label: "May be preempted", sentence: "Where the policy preempts at all." },
  { key: "gang", label: "All at once", sentence: "Its members start together or not at all." },
  {
    key: "within",
    label: "Placement wish",
    sentence: "All its nodes below one leaf, or in one NVSwitch domain.",
    absent: "anywhere",
    words: { leaf: "one leaf", nvswitch: "one NVSwitch domain" },
  },
];

export const JOB_COLUMNS: readonly LeafSpec[] = [
  { key: "id", label: "Job", sentence: "A name of its own.", width: 110 },
  { key: "submitMs", label: "Submitted", sentence: "Time from the start of the run.", width: 84 },
  { key: "gpus", label: "GPUs", sentence: "In total, wherever they are.", absent: "–", width: 64 },
  {
    key: "nodes",
    label: "Nodes",
    sentence: "Whole nodes, instead of a number of GPUs.",
    absent: "–",
    width: 64,
  },
  {
    key: "gpusPerNode",
    label: "GPUs a node",
    sentence: "With a number of nodes.",
    absent: "all",
    width: 64,
  },
  { key: "workMs", label: "Run time", sentence: "At reference speed.", width: 84 },
  { key: "limitMs", label: "Limit", sentence: "Time limit.", absent: "none", width: 84 },
  {
    key: "tier",
    label: "Tier",
    sentence: "How important it is.",
    names: "tiers",
    absent: "by kind",
    width: 96,
  },
  {
    key: "team",
    label: "Team",
    sentence: "Whose it is.",
    names: "teams",
    absent: "none",
    width: 96,
  },
  { key: "user", label: "User", sentence: "Who submits it.", absent: "none", width: 80 },
];
