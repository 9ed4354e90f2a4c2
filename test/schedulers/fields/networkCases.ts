/** Communication and a filesystem that all share: cells of traffic, network and storage. */
import { MEASURED_MODELS, measuredTraffic } from "../../../src/model/network/models.ts";
import type { FieldCase } from "./fieldCase.ts";
import { phases, type Ran, runs } from "./ran.ts";
import { doc, job, machine, pools, SEC } from "./words.ts";

const jobAt = (key: string) => `/workload/jobs/0/${key}`;

/** A GiB takes a second over a card, nothing over NVLink. */
const GIB = 1.073741824;
const NET = { nvlinkGBps: 1_000_000, nvlinkMicros: 0, nicGBps: GIB, nicMicros: 0, nicsPerNode: 1 };
/**
 * Work of 4 s at the packed placement (steps of 1 s, since NVLink takes no time), spread over two nodes. Of two members each sends 1 GiB: a step takes 2 s, the run 8 s.
 * Of four, two a node and in order, one ring between the nodes: the same.
 */
const spread = (members: 2 | 4, network: object = {}, traffic: object = {}, leaves: object = {}) =>
  doc(
    { ...machine(2, 4), ...leaves, network: { ...NET, ...network } },
    [
      job("A", 0, 4, {
        gpus: members,
        limitMs: undefined,
        traffic: { stepMs: SEC, allReduceGiB: 1, ...traffic },
      }),
    ],
    { pools: pools({ placement: "spread" }) },
  );
const trafficAt = (key: string) => jobAt(`traffic/${key}`);
const netAt = (key: string) => `/cluster/network/${key}`;
/** Speeds are rounded down to 1/65,536. */
const end = ({ metrics }: Ran) => Math.round(metrics.makespanSec * 100) / 100;

function endOf(model: (typeof MEASURED_MODELS)[number]): number {
  const { stepMs, allReduceGiB, algorithm } = measuredTraffic(model);
  const talkMs = allReduceGiB * SEC * (algorithm === "ring" ? 1 : 2);
  return Math.round(400 * (1 + talkMs / stepMs)) / 100;
}

export const NETWORK_CASES: readonly FieldCase[] = [
  { at: trafficAt("stepMs"), base: spread(2), see: end, gives: 8, to: [[2 * SEC, 6]] },
  { at: trafficAt("allReduceGiB"), base: spread(2), see: end, gives: 8, to: [[3, 16]] },
  {
    // Two members in random order: a ring sends all bytes once, a tree twice.
    at: trafficAt("model"),
    base: spread(2, {}, { stepMs: undefined, allReduceGiB: undefined, model: "resnet50-128" }),
    see: end,
    gives: endOf("resnet50-128"),
    to: MEASURED_MODELS.filter((model) => model !== "resnet50-128").map((model) => [
      model,
      endOf(model),
    ]),
  },
  {
    at: trafficAt("overlap"),
    base: spread(2),
    see: end,
    gives: 8,
    to: [
      [0.5, 6],
      [1, 4],
    ],
  },
  // Up and down, all bytes both ways.
  { at: trafficAt("algorithm"), base: spread(2), see: end, gives: 8, to: [["tree", 12]] },
  // A ring of four sends 1.5 GiB a member, and two members share a card: 3 s.
  { at: trafficAt("order"), base: spread(4), see: end, gives: 8, to: [["random", 16]] },
  // Packed it takes 1 s for an all-reduce too: no difference is left.
  { at: netAt("nvlinkGBps"), base: spread(2), see: end, gives: 8, to: [[GIB, 4]] },
  { at: netAt("nvlinkMicros"), base: spread(2), see: end, gives: 8, to: [[500_000, 4]] },
  { at: netAt("nicGBps"), base: spread(2), see: end, gives: 8, to: [[2 * GIB, 6]] },
  // Two messages one after the other.
  { at: netAt("nicMicros"), base: spread(2), see: end, gives: 8, to: [[500_000, 12]] },
  // A card for each GPU: half of the bytes over each of two.
  { at: netAt("nicsPerNode"), base: spread(4), see: end, gives: 8, to: [[4, 6]] },
  // One ring of four over one card: 1.5 GiB.
  {
    at: netAt("rails"),
    base: spread(4, { nicsPerNode: 4 }),
    see: end,
    gives: 6,
    to: [[false, 10]],
  },
  {
    // Twice two messages, or twice three: over a spine, or between spines.
    at: "/cluster/fabric/leavesPerSpine",
    base: spread(2, { nicMicros: 500_000 }, {}, { fabric: { nodesPerLeaf: 1 } }),
    see: end,
    gives: 16,
    to: [[1, 20]],
  },
  {
    at: netAt("oversubscription"),
    base: spread(2, {}, {}, { fabric: { nodesPerLeaf: 1 } }),
    see: end,
    gives: 8,
    to: [[2, 12]],
  },
];

/** Saves 2 GiB after 3 s; its node fails at 6 s. */
const stored = (storage: object) =>
  doc(
    { ...machine(2, 1), storage: { writeGBps: 2 * GIB, ...storage } },
    [job("A", 0, 6, { gpus: 1, limitMs: undefined, checkpoint: { every: 3 * SEC, sizeGiB: 2 } })],
    { interventions: [{ atMs: 6 * SEC, kind: "fail", nodes: ["n-000"] }] },
  );

export const STORAGE_CASES: readonly FieldCase[] = [
  {
    at: "/cluster/storage/writeGBps",
    base: stored({}),
    see: phases("A"),
    gives: "running 0-3, checkpointing 3-4, running 4-6",
    to: [[GIB, "running 0-3, checkpointing 3-5, running 5-6"]],
  },
  {
    at: "/cluster/storage/readGBps",
    base: stored({}),
    see: runs("A"),
    gives: { A: "0-6 nodeFailed, 6-10" },
    to: [[GIB, { A: "0-6 nodeFailed, 6-11" }]],
  },
];
