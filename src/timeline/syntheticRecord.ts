/**
 * A record that no engine made: as many rectangles as asked for on a cluster as large as asked for, from a seed. It looks like a
 * busy machine (gangs on whole nodes, single devices, gaps, a few stopped runs, drained nodes) and is the input of the Gantt's
 * tests and bench. Nothing in it was scheduled; only its shapes are real.
 */
import { Table } from "../base/columns.ts";
import type { Cluster } from "../model/cluster.ts";
import { COMPONENT_SHAPE, JOB_SHAPE } from "../model/jobs.ts";
import { EndStateCode, MemberStateCode } from "../model/states.ts";
import type { Stage } from "../protocol/messages.ts";
import {
  type Chunk,
  NODE_SPAN_SHAPE,
  type OpenSet,
  rectBits,
  WAIT_SHAPE,
} from "../record/shapes.ts";
import { cutChunks, type Drawn, rectColumns } from "./syntheticColumns.ts";

export interface SyntheticWish {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly rects: number;
  readonly nodesPerLeaf?: number;
  readonly seed?: number;
  readonly chunks?: number;
  /** One node of `nodes · gpusPerNode` processors. */
  readonly flat?: boolean;
}

export interface SyntheticRecord {
  readonly stage: Stage;
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet;
  readonly knownMs: number;
  readonly endMs: number;
}

const NAMES = [
  "diffusion",
  "llm-13b",
  "rlhf",
  "moe-8x7",
  "asr-large",
  "vit-huge",
  "rank-serve",
  "embed",
  "profile",
  "ci",
];
/** Places looked at for a job: the more, the fuller the machine. */
const CHOICES = 24;
const SIZES = [1, 1, 1, 2, 2, 4, 8, 8, 8, 16, 16, 32, 64];

/** A small generator (Marsaglia's xorshift32): shapes for tests, no statistics. */
function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** The cluster of a synthetic record: leaves of `nodesPerLeaf` nodes (default 8) under one spine, or one flat node. */
export function syntheticCluster(wish: SyntheticWish): Cluster {
  const nodeCount = wish.flat ? 1 : wish.nodes;
  const perNode = wish.flat ? wish.nodes * wish.gpusPerNode : wish.gpusPerNode;
  const perLeaf = wish.nodesPerLeaf ?? 8;
  const leafCount = Math.ceil(nodeCount / perLeaf);
  return {
    nodeCount,
    deviceCount: nodeCount * perNode,
    nodeNames: Array.from(
      { length: nodeCount },
      (_, n) => `node-${String(n + 1).padStart(2, "0")}`,
    ),
    nodeGroup: new Uint16Array(nodeCount),
    groups: [
      {
        id: "g",
        gpuModel: "H100",
        gpuMemMiB: 81_920,
        gpusPerNode: perNode,
        cpusPerNode: 96,
        memMiBPerNode: 1 << 20,
        numaDomains: 2,
        labels: {},
      },
    ],
    deviceBase: Int32Array.from({ length: nodeCount + 1 }, (_, n) => n * perNode),
    leafCount,
    spineCount: 1,
    leafOfNode: Int32Array.from({ length: nodeCount }, (_, n) => Math.floor(n / perLeaf)),
    spineOfLeaf: new Int32Array(leafCount),
    leafNames: Array.from({ length: leafCount }, (_, l) => `L${l + 1}`),
    nvswitchOfNode: Int32Array.from({ length: nodeCount }, (_, n) => n),
    nvswitchCount: nodeCount,
    hasFabric: !wish.flat && wish.nodesPerLeaf !== 0,
    flat: wish.flat ?? false,
    deviceWord: wish.flat ? "processor" : "GPU",
  };
}

/** Draws a record. Deterministic in its argument. */
export function syntheticRecord(wish: SyntheticWish): SyntheticRecord {
  const cluster = syntheticCluster(wish);
  const random = generator(wish.seed ?? 20_417);
  const jobs = new Table(JOB_SHAPE);
  const rects = drawRects(cluster, wish, random, jobs);
  rects.sort((a, b) => a.endMs - b.endMs || a.device - b.device);
  const knownMs = rects[Math.floor(rects.length * 0.97)]?.endMs ?? 0;
  const closed = rects.filter((rect) => rect.endMs <= knownMs);
  const stillOpen = rects.filter((rect) => rect.endMs > knownMs && rect.startMs < knownMs);
  const chunks = cutChunks(cluster, closed, stillOpen, jobs, wish.chunks ?? 12, knownMs);
  const open: OpenSet = {
    atMs: knownMs,
    rects: rectColumns(
      stillOpen.map((rect) => ({ ...rect, endMs: Number.POSITIVE_INFINITY, bits: rect.bits & 7 })),
    ),
    waits: new Table(WAIT_SHAPE, 1).take(),
    nodeSpans: new Table(NODE_SPAN_SHAPE, 1).take(),
  };
  return { stage: stageOf(cluster, jobs), chunks, open, knownMs, endMs: knownMs };
}

function drawRects(
  cluster: Cluster,
  wish: SyntheticWish,
  random: () => number,
  jobs: Table<typeof JOB_SHAPE>,
): Drawn[] {
  const perNode = wish.flat ? 16 : wish.gpusPerNode;
  const nodes = Math.floor(cluster.deviceCount / perNode);
  const freeMs = new Float64Array(cluster.deviceCount);
  const rects: Drawn[] = [];
  while (rects.length < wish.rects) {
    const size = Math.min(SIZES[Math.floor(random() * SIZES.length)]!, cluster.deviceCount);
    const count = Math.max(1, Math.min(nodes, Math.ceil(size / perNode)));
    const each = Math.min(size, perNode);
    const node = leastBusy(freeMs, perNode, count, nodes, random);
    const first =
      node * perNode +
      (count === 1 ? Math.floor((random() * (perNode - each + 1)) / each) * each : 0);
    let startMs = 0;
    for (let n = 0; n < count; n++) {
      for (let d = 0; d < each; d++) startMs = Math.max(startMs, freeMs[first + n * perNode + d]!);
    }
    if (random() < 0.2) startMs += Math.floor(random() * random() * 3_600_000);
    const ms = Math.max(
      20_000,
      Math.floor(random() ** 2 * 8 * 3_600_000 * (0.3 + Math.sqrt(size) / 6)),
    );
    const jobIdx = addJob(jobs, startMs, ms, count * each, random);
    const fate = random();
    const endState =
      fate < 0.06
        ? EndStateCode.requeued
        : fate < 0.065
          ? EndStateCode.nodeFailed
          : EndStateCode.completed;
    for (let n = 0; n < count; n++) {
      const device = first + n * perNode;
      rects.push({
        startMs,
        endMs: startMs + ms,
        jobIdx,
        device,
        count: each,
        bits: rectBits(MemberStateCode.running, endState, 0),
      });
      freeMs.fill(startMs + ms, device, device + each);
    }
  }
  return rects;
}

/** Of some places for `count` nodes the one that is free first. */
function leastBusy(
  freeMs: Float64Array,
  perNode: number,
  count: number,
  nodes: number,
  random: () => number,
): number {
  let best = 0;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < CHOICES; i++) {
    const node = Math.floor(random() * (nodes - count + 1));
    let busyMs = 0;
    for (let d = node * perNode; d < (node + count) * perNode; d++)
      busyMs = Math.max(busyMs, freeMs[d]!);
    if (busyMs < bestMs) {
      best = node;
      bestMs = busyMs;
    }
  }
  return best;
}

function addJob(
  jobs: Table<typeof JOB_SHAPE>,
  startMs: number,
  ms: number,
  gpus: number,
  random: () => number,
): number {
  jobs.reserve(1);
  const i = jobs.length++;
  const { at } = jobs;
  at.submitMs[i] = Math.max(0, startMs - Math.floor(random() ** 4 * 7_200_000));
  at.workQ16[i] = ms * 65_536;
  at.limitMs[i] = Math.ceil((ms * (1.1 + random())) / 600_000) * 600_000;
  at.tier[i] = Math.min(3, Math.floor(random() * 2 + (gpus >= 16 ? 1 : gpus <= 2 ? 2 : 0)));
  at.gpuTotal[i] = gpus;
  return i;
}

function stageOf(cluster: Cluster, jobs: Table<typeof JOB_SHAPE>): Stage {
  const count = jobs.length;
  const names = new Map<number, string>();
  for (let i = 0; i < Math.min(count, 20_000); i++) names.set(i, NAMES[(i * 7) % NAMES.length]!);
  return {
    generation: 1,
    cluster,
    jobs: {
      count,
      at: jobs.take(),
      components: new Table(COMPONENT_SHAPE, 1).take(),
      ids: { numbers: Float64Array.from({ length: count }, (_, i) => i + 1), texts: new Map() },
      names: { numbers: new Float64Array(0), texts: names },
      users: [],
      gpuModels: [],
    },
    tiers: ["Critical", "High", "Normal", "Low"].map((name) => ({
      id: name.toLowerCase(),
      name,
      letter: name[0]!,
    })),
    teams: [],
    queues: [],
    poolIds: ["all"],
    poolOfJob: new Uint8Array(count),
    importNotes: [],
  };
}
