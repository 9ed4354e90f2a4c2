/** Fields of an inference service and of the controller that moves nodes between pools. */
import type { LeafSpec } from "../../../ui/fields/fieldSpec.ts";

const wave = { key: "demand.shape", is: ["diurnal", "square"] } as const;

export const SERVICE_SPECS: readonly LeafSpec[] = [
  { key: "id", label: "Id", sentence: "Its replicas are called id/0, id/1 and so on." },
  {
    key: "tier",
    label: "Tier",
    sentence: "Tier of its replicas.",
    names: "tiers",
    absent: "first",
  },
  { key: "team", label: "Team", sentence: "Who pays for it.", names: "teams", absent: "none" },
  {
    key: "queue",
    label: "Queue",
    sentence: "For the routing to pools.",
    names: "queues",
    absent: "none",
  },
  {
    key: "gpusPerReplica",
    section: "Replicas",
    label: "A replica needs",
    unit: "GPUs",
    sentence: "All on one node.",
  },
  { key: "gpuModel", label: "GPU model", sentence: "Empty: any.", absent: "any" },
  { key: "minReplicas", label: "Least replicas", sentence: "Guaranteed, also without demand." },
  { key: "maxReplicas", label: "Most replicas", sentence: "However much is asked." },
  {
    key: "coldStartMs",
    label: "Cold start",
    sentence: "From the start of a replica until it serves.",
  },
  {
    key: "concurrency",
    section: "Requests",
    label: "Served together",
    unit: "requests",
    sentence: "Requests that one replica works on at the same time.",
  },
  { key: "requestMs", label: "A request takes", sentence: "Mean time of one request." },
  {
    key: "requestCv2",
    label: "Its variation",
    sentence: "Squared coefficient of variation: 0 = all alike, 1 = exponential.",
  },
  {
    key: "target.percentile",
    label: "Target percentile",
    sentence: "The part of requests that must be fast enough.",
    words: { 95: "p95", 99: "p99" },
  },
  { key: "target.latencyMs", label: "Target latency", sentence: "Waiting and service together." },
  {
    key: "demand.shape",
    section: "Demand",
    label: "Shape",
    sentence: "How requests come over the day.",
    words: {
      constant: "constant",
      diurnal: "day and night",
      square: "square wave",
      points: "point by point",
    },
  },
  {
    key: "demand.perSec",
    label: "Requests a second",
    sentence: "Mean; of a square wave, the low rate.",
    when: { key: "demand.shape", is: ["constant", "diurnal", "square"] },
  },
  {
    key: "demand.swing",
    label: "Swing",
    sentence: "Part of the mean by which it rises and falls, 0 to 1.",
    when: { key: "demand.shape", is: ["diurnal"] },
  },
  {
    key: "demand.highPerSec",
    label: "High rate",
    unit: "a second",
    sentence: "For half of each period.",
    when: { key: "demand.shape", is: ["square"] },
  },
  { key: "demand.periodMs", label: "Period", sentence: "From peak to peak.", when: wave },
  { key: "demand.peakMs", label: "Peak at", sentence: "Time of day of the peak.", when: wave },
  {
    key: "demand.points",
    label: "Points",
    sentence: "Time: requests a second, from then on.",
    as: "points",
    when: { key: "demand.shape", is: ["points"] },
  },
  { key: "demand.stepMs", label: "Step", sentence: "Demand is looked at in steps of this length." },
  {
    key: "autoscale.metric",
    section: "Autoscaler",
    label: "Replicas follow",
    sentence: "What the autoscaler looks at; fixed: always the least.",
    words: { fixed: "nothing (fixed)", utilization: "utilization", latency: "latency" },
  },
  {
    key: "autoscale.target",
    label: "Utilization aimed at",
    sentence: "0 to 1.",
    when: { key: "autoscale.metric", is: ["utilization"] },
  },
  {
    key: "autoscale.everyMs",
    label: "Looks every",
    sentence: "Time between two looks of the autoscaler.",
    when: { key: "autoscale.metric", is: ["utilization", "latency"] },
  },
  {
    key: "autoscale.upDelayMs",
    label: "Delay up",
    sentence: "More replicas only after the wish has lasted so long.",
    when: { key: "autoscale.metric", is: ["utilization", "latency"] },
  },
  {
    key: "autoscale.downDelayMs",
    label: "Delay down",
    sentence: "No step down for so long after the highest wish.",
    when: { key: "autoscale.metric", is: ["utilization", "latency"] },
  },
  {
    key: "autoscale.catchUpMs",
    label: "Catches up in",
    sentence:
      "Requests that have piled up count as demand, to be worked off in so long; empty: only what arrives counts.",
    when: { key: "autoscale.metric", is: ["utilization", "latency"] },
  },
  {
    key: "autoscale.tolerance",
    label: "Tolerance",
    sentence: "No change while the wish differs by less than this part.",
    when: { key: "autoscale.metric", is: ["utilization", "latency"] },
  },
];

export const FLEET_SPECS: readonly LeafSpec[] = [
  {
    key: "serving",
    label: "Serving pool",
    sentence: "The pool with the services.",
    names: "pools",
  },
  { key: "batch", label: "Batch pool", sentence: "The pool that lends nodes.", names: "pools" },
  { key: "everyMs", label: "Looks every", sentence: "Time between two decisions." },
  { key: "servingMin", label: "Serving keeps", unit: "nodes", sentence: "Never fewer." },
  { key: "batchMin", label: "Batch keeps", unit: "nodes", sentence: "Never fewer." },
  {
    key: "upAfterMs",
    label: "To serving after",
    sentence: "Services miss their target, or replicas do not fit, for so long.",
  },
  {
    key: "downAfterMs",
    label: "Back after",
    sentence:
      "Serving could do without for so long, and the other pool queues. Both 0 = no hysteresis.",
  },
  {
    key: "queueAbove",
    label: "Queue above",
    unit: "GPUs",
    sentence: "A node goes back only while the batch queue waits for more than these.",
  },
  {
    key: "spare",
    label: "Spare",
    sentence: "A node goes back only if serving stays below this utilization without it.",
  },
  { key: "nodesAtOnce", label: "Nodes at once", unit: "nodes", sentence: "In one decision." },
  {
    key: "handOverMs",
    label: "Hand-over",
    sentence: "Cleaning, reboot, image: a node is in neither pool so long.",
  },
];
