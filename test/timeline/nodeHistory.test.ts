/** What happened to nodes and devices, from records small enough to write down, and from runs. */
import { describe, expect, test } from "vitest";
import { allocate } from "../../src/base/columns.ts";
import { StopReasonCode } from "../../src/model/reasons.ts";
import { NodeStateCode } from "../../src/model/states.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  type DecisionKind,
  DecisionKindCode,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  type OpenSet,
  RECT_SHAPE,
  RUN_SHAPE,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "../../src/record/shapes.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import {
  type NodeStretch,
  nodeHistoryOf,
  poolOfNodeAt,
  stretchesOf,
} from "../../src/timeline/nodeHistory.ts";
import { nodeWords } from "../../src/timeline/nodeWords.ts";
import { labPool } from "../schedulers/policyDocs.ts";
import { runWorld } from "../support/draw.ts";
import { worldFromText } from "../support/world.ts";

type Span = readonly [
  node: number,
  state: keyof typeof NodeStateCode,
  fromMs: number,
  toMs: number,
];
type Told = readonly [kind: DecisionKind, atMs: number, of: number, value: number, reason?: number];

function chunkOf(spans: readonly Span[], told: readonly Told[]): Chunk {
  const nodeSpans = allocate(NODE_SPAN_SHAPE, spans.length);
  spans.forEach(([node, state, fromMs, toMs], row) => {
    nodeSpans.node[row] = node;
    nodeSpans.state[row] = NodeStateCode[state];
    nodeSpans.startMs[row] = fromMs;
    nodeSpans.endMs[row] = toMs;
  });
  const decisions = allocate(DECISION_SHAPE, told.length);
  told.forEach(([kind, atMs, of, value, reason = 0], row) => {
    decisions.kind[row] = DecisionKindCode[kind];
    decisions.atMs[row] = atMs;
    decisions.jobIdx[row] = of;
    decisions.value[row] = value;
    decisions.reason[row] = reason;
  });
  return {
    fromMs: -1,
    toMs: 1_000,
    nodeSpans,
    decisions,
    rects: allocate(RECT_SHAPE, 0),
    runs: allocate(RUN_SHAPE, 0),
    waits: allocate(WAIT_SHAPE, 0),
    series: allocate(SERIES_SHAPE, 0),
    gauges: allocate(GAUGE_SHAPE, 0),
  };
}

function told(stretches: readonly NodeStretch[]): string[] {
  return stretches.map(
    ({ kind, fromMs, toMs, pool }) => `${kind} ${fromMs}-${toMs}${pool < 0 ? "" : ` to ${pool}`}`,
  );
}

describe("a node", () => {
  test("that is not there boots from when it is rented, and is absent again when that is called off", () => {
    const chunk = chunkOf(
      [[1, "unborn", 0, 100]],
      [
        ["openNode", 10, 1, 50],
        ["closeNode", 30, 1, 0],
        ["openNode", 60, 1, 40],
      ],
    );
    expect(told(stretchesOf(nodeHistoryOf([chunk], null, 2), 1))).toEqual([
      "absent 0-10",
      "boots 10-30",
      "absent 30-60",
      "boots 60-100",
    ]);
  });

  test("that was rented says since when it is there, and while it boots or is away only that", () => {
    const chunk = chunkOf([[1, "unborn", 0, 3_600_000]], [["openNode", 600_000, 1, 3_000_000]]);
    const facts = nodeHistoryOf([chunk], null, 2);
    const stage = { cluster: { deviceBase: [0, 4, 8] }, poolIds: ["all"] } as unknown as Stage;
    const context = { stage, calendar: undefined, firstPool: () => 0 };
    const words = (atMs: number) => nodeWords(facts, context, 1, atMs);
    expect(words(0)).toEqual(["Not there: rented when work waits for it"]);
    expect(words(700_000)).toEqual([expect.stringMatching(/^Rented, and boots, there at .*01:00/)]);
    expect(words(3_600_000)).toEqual([expect.stringMatching(/^Rented, there since .*01:00/)]);
    expect(nodeWords(facts, context, 0, 3_600_000)).toEqual([]);
  });

  test("that is drained may leave, change its pool, or only be drained", () => {
    const chunk = chunkOf(
      [
        [0, "drained", 10, 20],
        [0, "drained", 40, 70],
        [1, "drained", 5, 50],
      ],
      [
        ["closeNode", 10, 0, 0],
        ["handNode", 50, 0, 1],
      ],
    );
    const history = nodeHistoryOf([chunk], null, 2);
    expect(told(stretchesOf(history, 0))).toEqual([
      "leaves 10-20",
      "drained 40-50",
      "changesPool 50-70 to 1",
    ]);
    expect(told(stretchesOf(history, 1))).toEqual(["drained 5-50"]);
  });

  test("is in the new pool once it has come, and stays where it was if it fails on the way", () => {
    const chunk = chunkOf(
      [
        [0, "drained", 10, 30],
        [1, "drained", 10, 30],
        [1, "down", 30, 60],
      ],
      [
        ["handNode", 10, 0, 1],
        ["handNode", 10, 1, 1],
      ],
    );
    const history = nodeHistoryOf([chunk], null, 2);
    const pools = (node: number) => [9, 29, 30, 90].map((at) => poolOfNodeAt(history, node, 0, at));
    expect(pools(0)).toEqual([0, 0, 1, 1]);
    expect(pools(1)).toEqual([0, 0, 0, 0]);
  });

  test("that is idle changes pools at once where that costs nothing", () => {
    const history = nodeHistoryOf([chunkOf([], [["handNode", 20, 0, 1]])], null, 1);
    expect([19, 20].map((at) => poolOfNodeAt(history, 0, 0, at))).toEqual([0, 1]);
  });

  test("that is down at the end of the record has no end of it yet", () => {
    const open: OpenSet = { ...chunkOf([[0, "down", 40, Number.POSITIVE_INFINITY]], []), atMs: 90 };
    expect(told(stretchesOf(nodeHistoryOf([], open, 1), 0))).toEqual(["down 40-Infinity"]);
  });
});

test("a device is out from its failure to its return, or for good, and while it is cut anew", () => {
  const chunk = chunkOf(
    [],
    [
      ["failDevice", 10, 3, 0],
      ["failDevice", 20, 5, 0],
      ["repartition", 30, 1, 15],
      ["resumeDevice", 40, 3, 0],
    ],
  );
  expect(nodeHistoryOf([chunk], null, 1).devices).toEqual([
    { kind: "failed", device: 3, fromMs: 10, toMs: 40 },
    { kind: "failed", device: 5, fromMs: 20, toMs: Number.POSITIVE_INFINITY },
    { kind: "cut", device: 1, fromMs: 30, toMs: 45 },
  ]);
});

describe("rounds", () => {
  test("who gave way is in the evictions that follow, not in those for a job or for another reason", () => {
    const { preempted, outbid } = StopReasonCode;
    const chunk = chunkOf(
      [],
      [
        ["evict", 10, 1, -1, preempted],
        ["round", 20, 0, 2],
        ["evict", 20, 2, -1, preempted],
        ["evict", 20, 4, 7, preempted],
        ["evict", 20, 5, -1, outbid],
        ["evict", 20, 3, -1, preempted],
        ["evict", 20, 6, -1, preempted],
      ],
    );
    const { rounds, gaveWayMs } = nodeHistoryOf([chunk], null, 1);
    expect(rounds).toEqual([{ atMs: 20, pool: 0, gaveWay: 2 }]);
    expect([...gaveWayMs.keys()]).toEqual([2, 3]);
  });

  test("of a run: each preempted run ended at a round, and its job gave way there", () => {
    const pools = [labPool({ order: "leastAttained", roundMs: 2_000, backfill: "skip" })];
    const world = worldFromText("1 gpus\n0s A x1 6s\n1s B x1 4s", { pools });
    const { chunks } = runWorld(world, schedulerOf);
    const { gaveWayMs } = nodeHistoryOf(chunks, null, world.cluster.nodeCount);
    const ended = chunks.flatMap(({ runs }) =>
      [...runs.stopReason].flatMap((reason, row) =>
        reason === StopReasonCode.preempted ? [`${runs.jobIdx[row]} ${runs.endMs[row]}`] : [],
      ),
    );
    const gave = [...gaveWayMs].flatMap(([job, times]) => [...times].map((at) => `${job} ${at}`));
    expect(ended.length).toBeGreaterThan(2);
    expect(gave.sort()).toEqual(ended.sort());
  });
});
