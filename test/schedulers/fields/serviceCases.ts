/** Inference services: demand, what a request costs, and the autoscaler. */
import { nameOf } from "../../../src/model/jobs.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import type { FieldCase } from "./fieldCase.ts";
import { gauge, held, nodesOf, phases, type Ran, runs } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

type Service = NonNullable<ScenarioInput["services"]>[number];

/** From 5 to 15 s four times as much is asked for. A replica does one request a second, and half of its time is aimed at. */
const CHAT: Service = {
  id: "s",
  tier: "critical",
  maxReplicas: 4,
  coldStartMs: 2 * SEC,
  requestMs: SEC,
  target: { latencyMs: 10 * SEC },
  demand: {
    shape: "points",
    perSec: 0.5,
    points: [
      { atMs: 5 * SEC, perSec: 2 },
      { atMs: 15 * SEC, perSec: 0.5 },
    ],
  },
  autoscale: { target: 0.5, everyMs: SEC, downDelayMs: 5 * SEC, tolerance: 0 },
};
const serving = (
  service: Partial<Service> = {},
  jobs: readonly Job[] = [],
  more: object = {},
  cluster = machine(1, 8),
) =>
  doc(cluster, jobs, {
    horizonMs: 30 * SEC,
    services: [{ ...CHAT, ...service }],
    pools: pools({ order: "tiers" }),
    ...more,
  });
const at = (key: string) => `/services/0/${key}`;
const wanted = gauge("replicasWanted");
const wave = [
  [0, 1],
  [5, 4],
  [20, 1],
];
const twoModels = {
  nodeGroups: [
    { id: "h", count: 1, gpus: 4 },
    { id: "a", count: 1, gpus: 4, gpuModel: "A100" },
  ],
};

/** One replica at half of what it can do, demand does not change. */
const steady = serving({
  demand: { perSec: 0.5 },
  autoscale: { metric: "fixed" },
  coldStartMs: 0,
});
const latency = (run: Ran) => gauge("latency")(run).at(-1)![1];

export const SERVICE_CASES: readonly FieldCase[] = [
  {
    at: at("id"),
    base: steady,
    see: ({ metrics }) => Object.keys(metrics.slo.services),
    gives: ["s"],
    to: [["chat", ["chat"]]],
  },
  {
    at: at("name"),
    base: steady,
    see: ({ world }) => nameOf(world.jobs.names, 0),
    gives: "s/0",
    to: [["chat", "chat/0"]],
  },
  {
    at: at("tier"),
    base: serving({ tier: "low" }, [job("J", 0, 10, { gpus: 8, tier: "high" })]),
    see: runs("s/0"),
    gives: { "s/0": "10-" },
    to: [
      ["critical", { "s/0": "0-" }],
      [undefined, { "s/0": "0-" }],
    ],
  },
  {
    at: at("team"),
    base: serving({}, [], {
      teams: [{ id: "red" }],
      limits: [{ per: "team", name: "red", gpus: 1 }],
    }),
    see: runs("s/1"),
    gives: { "s/1": "5-20 scaledDown" },
    to: [["red", { "s/1": "waits" }]],
  },
  {
    at: at("queue"),
    base: serving(
      {},
      [],
      {
        queues: ["q"],
        pools: [
          { id: "a", nodeGroups: ["a"], route: { queues: ["q"] } },
          { id: "h", nodeGroups: ["h"] },
        ],
      },
      twoModels,
    ),
    see: nodesOf("s/0"),
    gives: ["h-000"],
    to: [["q", ["a-000"]]],
  },
  { at: at("gpusPerReplica"), base: steady, see: held("s/0"), gives: "0: 1", to: [[2, "0: 2"]] },
  {
    at: at("gpuModel"),
    base: serving({}, [], {}, twoModels),
    see: nodesOf("s/0"),
    gives: ["h-000"],
    to: [["A100", ["a-000"]]],
  },
  {
    at: at("minReplicas"),
    base: serving(),
    see: wanted,
    gives: wave,
    to: [
      [
        2,
        [
          [0, 2],
          [5, 4],
          [20, 2],
        ],
      ],
    ],
  },
  {
    at: at("maxReplicas"),
    base: serving(),
    see: wanted,
    gives: wave,
    to: [
      [
        3,
        [
          [0, 1],
          [5, 3],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: at("coldStartMs"),
    base: serving(),
    see: phases("s/0"),
    gives: "starting 0-2, running 2-",
    to: [[4 * SEC, "starting 0-4, running 4-"]],
  },
  {
    at: at("concurrency"),
    base: serving(),
    see: wanted,
    gives: wave,
    to: [
      [
        2,
        [
          [0, 1],
          [5, 2],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: at("requestMs"),
    base: serving(),
    see: wanted,
    gives: wave,
    to: [
      [
        SEC / 2,
        [
          [0, 1],
          [5, 2],
          [20, 1],
        ],
      ],
    ],
  },
  {
    // M/M/1: ln 20 / (1 − 0.5) s. Without variation half wait, 1 s in the mean: ln 10 s, and the second of the request.
    at: at("requestCv2"),
    base: steady,
    see: latency,
    gives: 5991.465,
    to: [[0, 3302.585]],
  },
  {
    // ln 100 / (1 − 0.5) s.
    at: at("target/percentile"),
    base: steady,
    see: latency,
    gives: 5991.465,
    to: [[99, 9210.34]],
  },
  {
    at: at("target/latencyMs"),
    base: steady,
    see: ({ metrics }) => metrics.slo.services["s"],
    gives: 1,
    to: [[5 * SEC, 0]],
  },
];

/** The mean is 1 request a second, 4 in the high half of a square wave of 20 s around 10 s; steps of 5 s. */
const asked = (demand: Partial<Service["demand"]>) =>
  serving(
    {
      demand: {
        perSec: 1,
        highPerSec: 4,
        periodMs: 20 * SEC,
        peakMs: 10 * SEC,
        stepMs: 5 * SEC,
        points: [{ atMs: 7 * SEC, perSec: 3 }],
        ...demand,
      },
    },
    [],
    { horizonMs: 20 * SEC },
  );
const demandAt = (key: string) => at(`demand/${key}`);
const demand = gauge("demand");
const squareWave = [
  [0, 1],
  [5, 4],
  [15, 1],
];
/** 1 ± 0.5 · cos 45°. */
const dayWave = [
  [0, 0.646],
  [5, 1.354],
  [15, 0.646],
];

export const DEMAND_CASES: readonly FieldCase[] = [
  {
    at: demandAt("shape"),
    base: asked({}),
    see: demand,
    gives: [[0, 1]],
    to: [
      ["diurnal", dayWave],
      ["square", squareWave],
      [
        "points",
        [
          [0, 1],
          [7, 3],
        ],
      ],
    ],
  },
  { at: demandAt("perSec"), base: asked({}), see: demand, gives: [[0, 1]], to: [[2, [[0, 2]]]] },
  {
    at: demandAt("swing"),
    base: asked({ shape: "diurnal" }),
    see: demand,
    gives: dayWave,
    to: [
      [
        1,
        [
          [0, 0.293],
          [5, 1.707],
          [15, 0.293],
        ],
      ],
    ],
  },
  {
    at: demandAt("highPerSec"),
    base: asked({ shape: "square" }),
    see: demand,
    gives: squareWave,
    to: [
      [
        2,
        [
          [0, 1],
          [5, 2],
          [15, 1],
        ],
      ],
    ],
  },
  {
    at: demandAt("periodMs"),
    base: asked({ shape: "square" }),
    see: demand,
    gives: squareWave,
    to: [
      [
        12 * SEC,
        [
          [0, 4],
          [1, 1],
          [7, 4],
          [13, 1],
          [19, 4],
        ],
      ],
    ],
  },
  {
    at: demandAt("peakMs"),
    base: asked({ shape: "square" }),
    see: demand,
    gives: squareWave,
    to: [
      [
        12 * SEC,
        [
          [0, 1],
          [7, 4],
          [17, 1],
        ],
      ],
    ],
  },
  {
    at: demandAt("points/0/atMs"),
    base: asked({ shape: "points" }),
    see: demand,
    gives: [
      [0, 1],
      [7, 3],
    ],
    to: [
      [
        9 * SEC,
        [
          [0, 1],
          [9, 3],
        ],
      ],
    ],
  },
  {
    at: demandAt("points/0/perSec"),
    base: asked({ shape: "points" }),
    see: demand,
    gives: [
      [0, 1],
      [7, 3],
    ],
    to: [
      [
        2,
        [
          [0, 1],
          [7, 2],
        ],
      ],
    ],
  },
  {
    // In the middle of a step of 10 s the wave is at its mean.
    at: demandAt("stepMs"),
    base: asked({ shape: "diurnal" }),
    see: (run) => Math.max(...demand(run).map(([, perSec]) => perSec)),
    gives: 1.354,
    to: [[10 * SEC, 1]],
  },
];

const scaled = (autoscale: object, more: Partial<Service> = {}) =>
  serving({ ...more, autoscale: { ...CHAT.autoscale, ...autoscale } });
const scaleAt = (key: string) => at(`autoscale/${key}`);
/** A little more from 5 s on: 0.6 of a replica, where half is aimed at. */
const little = { demand: { ...CHAT.demand, points: [{ atMs: 5 * SEC, perSec: 0.6 }] } };

export const AUTOSCALE_CASES: readonly FieldCase[] = [
  {
    at: scaleAt("metric"),
    base: scaled({}),
    see: wanted,
    gives: wave,
    to: [
      ["fixed", [[0, 1]]],
      // Three keep the 95th percentile of two requests a second below 10 s.
      [
        "latency",
        [
          [0, 1],
          [5, 3],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: scaleAt("target"),
    base: scaled({}),
    see: wanted,
    gives: wave,
    to: [
      [
        1,
        [
          [0, 1],
          [5, 2],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: scaleAt("everyMs"),
    base: scaled({}),
    see: wanted,
    gives: wave,
    to: [
      [
        4 * SEC,
        [
          [0, 1],
          [8, 4],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: scaleAt("downDelayMs"),
    base: scaled({}),
    see: wanted,
    gives: wave,
    to: [
      [
        0,
        [
          [0, 1],
          [5, 4],
          [15, 1],
        ],
      ],
    ],
  },
  {
    at: scaleAt("upDelayMs"),
    base: scaled({}),
    see: wanted,
    gives: wave,
    to: [
      [
        3 * SEC,
        [
          [0, 1],
          [8, 4],
          [20, 1],
        ],
      ],
    ],
  },
  {
    at: scaleAt("tolerance"),
    base: scaled({}, little),
    see: wanted,
    gives: [
      [0, 1],
      [5, 2],
    ],
    to: [[0.5, [[0, 1]]]],
  },
  {
    // The request that came during the cold start is worked off by a second replica.
    at: scaleAt("catchUpMs"),
    base: scaled({ target: 1 }),
    see: wanted,
    gives: [
      [0, 1],
      [5, 2],
      [20, 1],
    ],
    to: [
      [
        SEC,
        [
          [0, 1],
          [2, 2],
          [20, 1],
        ],
      ],
    ],
  },
];
