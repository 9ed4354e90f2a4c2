/** The controller that moves nodes between two pools. */

import { DECISION_KINDS } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import type { FieldCase } from "./fieldCase.ts";
import { gauge, type Ran, sec } from "./ran.ts";
import { doc, job, SEC } from "./words.ts";

/**
 * Serving has a node of two devices, batch two. From 10 to 30 s four replicas are wanted, then one. Batch always has jobs of 2 s that wait. A third pool has
 * a node and no work.
 */
const fleet = (rule: Partial<NonNullable<ScenarioInput["fleet"]>> = {}, highPerSec = 2) =>
  doc(
    {
      nodeGroups: [
        { id: "serve", count: 1, gpus: 2 },
        { id: "batch", count: 2, gpus: 2 },
        { id: "other", count: 1, gpus: 2 },
      ],
    },
    [job("J", 0, 2, { gpus: 1, array: { count: 130 } })],
    {
      horizonMs: 60 * SEC,
      pools: [
        { id: "serving", nodeGroups: ["serve"], route: { kinds: ["inference"] } },
        { id: "other", nodeGroups: ["other"], route: { queues: ["other"] } },
        { id: "batch", nodeGroups: ["batch"] },
      ],
      queues: ["other"],
      services: [
        {
          id: "s",
          maxReplicas: 6,
          coldStartMs: SEC,
          requestMs: SEC,
          target: { latencyMs: 10 * SEC },
          autoscale: { target: 0.5, everyMs: SEC, downDelayMs: 0, tolerance: 0 },
          demand: {
            shape: "points",
            perSec: 0.5,
            points: [
              { atMs: 10 * SEC, perSec: highPerSec },
              { atMs: 30 * SEC, perSec: 0.5 },
            ],
          },
        },
      ],
      fleet: {
        serving: "serving",
        batch: "batch",
        everyMs: SEC,
        upAfterMs: 2 * SEC,
        downAfterMs: 10 * SEC,
        handOverMs: 2 * SEC,
        spare: 0.8,
        batchMin: 0,
        ...rule,
      },
    },
  );

/** Decisions to hand a node over, each with the pool that it goes to. */
const handed = (run: Ran) =>
  run.chunks.flatMap(({ decisions }) =>
    [...decisions.kind].flatMap((kind, row) =>
      DECISION_KINDS[kind] === "handNode"
        ? [`${sec(decisions.atMs[row]!)} ${run.world.pools[decisions.value[row]!]!.id}`]
        : [],
    ),
  );
const at = (key: string) => `/fleet/${key}`;

const asked = ["12 serving", "40 batch"];

export const FLEET_CASES: readonly FieldCase[] = [
  // Nobody queues in the third pool, so its node stays; without services nothing is wanted.
  { at: at("batch"), base: fleet(), see: handed, gives: asked, to: [["other", ["12 serving"]]] },
  { at: at("serving"), base: fleet(), see: handed, gives: asked, to: [["other", []]] },
  {
    at: at("everyMs"),
    base: fleet(),
    see: handed,
    gives: asked,
    to: [[4 * SEC, ["16 serving", "44 batch"]]],
  },
  { at: at("servingMin"), base: fleet(), see: handed, gives: asked, to: [[2, ["12 serving"]]] },
  { at: at("batchMin"), base: fleet(), see: handed, gives: asked, to: [[2, []]] },
  {
    at: at("upAfterMs"),
    base: fleet(),
    see: handed,
    gives: asked,
    to: [[5 * SEC, ["15 serving", "40 batch"]]],
  },
  {
    at: at("downAfterMs"),
    base: fleet(),
    see: handed,
    gives: asked,
    to: [[5 * SEC, ["12 serving", "35 batch"]]],
  },
  // Some hundred jobs of one device wait.
  {
    at: at("queueAbove"),
    base: fleet(),
    see: handed,
    gives: asked,
    to: [[1_000, ["12 serving"]]],
  },
  // One replica on the two devices that would be left: half of them.
  { at: at("spare"), base: fleet(), see: handed, gives: asked, to: [[0.4, ["12 serving"]]] },
  {
    // Six replicas: two nodes more. The second is asked for when the first has arrived, and given back after another 10 s from the next look on.
    at: at("nodesAtOnce"),
    base: fleet({}, 3),
    see: handed,
    gives: ["12 serving", "16 serving", "40 batch", "51 batch"],
    to: [[2, ["12 serving", "12 serving", "40 batch", "40 batch"]]],
  },
  {
    // Its jobs end at 14 s.
    at: at("handOverMs"),
    base: fleet(),
    see: gauge("poolNodes", 0),
    gives: [
      [0, 1],
      [16, 2],
      [40, 1],
    ],
    to: [
      [
        4 * SEC,
        [
          [0, 1],
          [18, 2],
          [40, 1],
        ],
      ],
    ],
  },
];
