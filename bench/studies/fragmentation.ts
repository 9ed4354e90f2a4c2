/**
 * How much of a cluster of shared GPUs can be given out before nothing fits any more: the experiment of Weng et al. (FGD, ATC 2023) with the
 * rules of this product. Pods of the openb trace arrive in random order, drawn again at random until their GPUs are 130 % of the
 * cluster's; each is placed at once or lost; nobody leaves. Nodes are looked through in random order, which settles ties.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { randomStream } from "../../src/base/random.ts";
import { unpack } from "../../src/formats/gunzip.ts";
import {
  type OpenbNode,
  type OpenbPod,
  readOpenbNodes,
  readOpenbPods,
} from "../../src/formats/openb.ts";
import type { ScoredPlacement } from "../../src/model/policy.ts";
import { WHOLE_DEVICE } from "../../src/model/units.ts";
import type { World } from "../../src/model/world.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { createSketch, type Sketch, takePlacing } from "../../src/scheduling/placement/capacity.ts";
import { fragmentedPart } from "../../src/scheduling/placement/fragmentation.ts";
import { nodeRulesOf } from "../../src/scheduling/placement/nodeRules.ts";
import { placeShape } from "../../src/scheduling/placement/placeShape.ts";
import { Placing } from "../../src/scheduling/placement/placing.ts";
import { shapesOf } from "../../src/scheduling/placement/shapes.ts";
import { expand } from "../../src/workload/expand.ts";
import { type Study, table } from "./study.ts";

const POLICIES: readonly (readonly [ScoredPlacement, string])[] = [
  ["random", "01-Random"],
  ["dotProduct", "02-DotProd"],
  ["gpuClustering", "03-GpuClustering"],
  ["gpuPacking", "04-GpuPacking"],
  ["weightedBestFit", "05-BestFit"],
  ["fgd", "06-FGD"],
];
const SEEDS = [42, 43, 44, 45, 46, 47, 48, 49, 50, 51];
const FOLDER = "alibaba-gpu-v2023";
const NODES = `${FOLDER}/openb_node_list_gpu_node.csv`;
const LISTS = ["openb_pod_list_default", "openb_pod_list_gpuspec33"];
const EXPECTED = "fgd-expected/analysis_allo_discrete.csv.gz";
/** Load at which allocation is read, % of the cluster's GPUs. */
const LOAD = 100;

/** The cluster and one job for each pod, through the document as a user would write it. */
function openbWorld(nodes: readonly OpenbNode[], pods: readonly OpenbPod[]): World {
  const groups = new Map<string, { node: OpenbNode; count: number }>();
  for (const node of nodes) {
    const key = JSON.stringify([node.cpuMilli, node.memMiB, node.gpus, node.model]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { node, count: 1 });
    else known.count++;
  }
  const scenario: ScenarioInput = {
    version: 1,
    cluster: {
      nodeGroups: [...groups.values()].map(({ node, count }, i) => ({
        id: `g${i}`,
        count,
        gpuModel: node.model,
        gpuMemGiB: 0,
        gpus: node.gpus,
        cpus: node.cpuMilli / 1_000,
        memGiB: node.memMiB / 1_024,
      })),
    },
    workload: {
      jobs: pods.map((pod) => ({
        id: pod.name,
        submitMs: 0,
        workMs: 1_000,
        components: [
          {
            members: 1,
            gpusPerMember: pod.gpus,
            ownNode: false,
            cpusPerMember: pod.cpuMilli / 1_000,
            memGiBPerMember: pod.memMiB / 1_024,
            ...(pod.gpus === 1 && pod.gpuMilli < WHOLE_DEVICE
              ? { gpuShareMilli: pod.gpuMilli }
              : {}),
          },
        ],
        ...(pod.models.length > 0 ? { gpuModels: pod.models.map((model) => ({ model })) } : {}),
      })),
    },
  };
  const read = readScenario(scenario);
  if (!read.ok) throw new Error(JSON.stringify(read.error.slice(0, 3)));
  const world = expand(read.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error.slice(0, 3)));
  return world.value;
}

/** Pods in random order, then more of them, until `inflation` × the cluster's GPUs are asked for. */
function arrivals(
  pods: readonly OpenbPod[],
  capacityMilli: number,
  inflation: number,
  seed: number,
): number[] {
  const draw = randomStream(seed, "fragmentation", "arrivals");
  const order = pods.map((_, i) => i);
  shuffle(order, draw);
  let asked = pods.reduce((sum, pod) => sum + pod.gpus * pod.gpuMilli, 0);
  while (asked < inflation * capacityMilli) {
    const pod = Math.floor(draw() * pods.length);
    order.push(pod);
    asked += pods[pod]!.gpus * pods[pod]!.gpuMilli;
  }
  return order;
}

function shuffle(list: { length: number; [i: number]: number }, draw: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    const at = list[i]!;
    list[i] = list[j]!;
    list[j] = at;
  }
}

/** Allocation in % of the cluster's GPUs, and fragmentation in % of what is free, once `LOAD` % have arrived. */
function allocation(
  world: World,
  pods: readonly OpenbPod[],
  rule: ScoredPlacement,
  seed: number,
): { allocated: number; fragmented: number } {
  const { cluster, jobs } = world;
  const shapes = shapesOf(jobs, cluster, nodeRulesOf({ sharePacking: "tightest" }));
  const sketch = emptySketch(world);
  shuffle(sketch.nodes, randomStream(seed, "fragmentation", "nodes"));
  const kinds = new Int32Array(cluster.nodeCount);
  sketch.kindsOn = (node) => kinds[node]!;
  const placing = new Placing();
  const capacity = cluster.deviceCount * WHOLE_DEVICE;
  let arrived = 0;
  let placed = 0;
  for (const pod of arrivals(pods, capacity, 1.3, seed)) {
    const { gpus, gpuMilli } = pods[pod]!;
    arrived += gpus * gpuMilli;
    if (arrived > (capacity * LOAD) / 100) break;
    const shape = shapes.list[shapes.shapeOfJob[pod]!]!;
    if (!placeShape(sketch, shape, null, rule, placing)) continue;
    takePlacing(sketch, placing, shape.parts);
    placed += gpus * gpuMilli;
    const node = placing.node[0]!;
    if (gpus > 0) kinds[node] = kinds[node]! | (gpuMilli < WHOLE_DEVICE ? 1 : 1 << gpus);
  }
  const fragmented = 100 * fragmentedPart(shapes.list[0]!.mix, sketch);
  return { allocated: (100 * placed) / capacity, fragmented };
}

function emptySketch({ cluster }: World): Sketch {
  const nodes = Int32Array.from({ length: cluster.nodeCount }, (_, node) => node);
  const sketch = createSketch({ cluster, nodes, kindsOn: () => 0 } as unknown as Sketch);
  for (const node of nodes) {
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    sketch.gpusFree[node] = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    sketch.cpuMilliFree[node] = group.cpusPerNode * 1_000;
    sketch.memMiBFree[node] = group.memMiBPerNode;
    sketch.gpusFreeTotal += sketch.gpusFree[node]!;
  }
  return sketch;
}

interface Published {
  readonly mean: number;
  readonly least: number;
  readonly most: number;
}

function published(folder: string, list: string, policy: string): Published {
  const unpacked = unpack(readFileSync(join(folder, EXPECTED)), EXPECTED);
  if (!unpacked.ok) throw new Error("the published results cannot be read");
  const lines = new TextDecoder().decode(unpacked.value).trim().split("\n");
  const column = lines[0]!.split(",").indexOf(String(LOAD));
  const values = lines
    .map((line) => line.split(","))
    .filter((cells) => cells[0] === list && cells[1] === policy)
    .map((cells) => Number(cells[column]));
  return { mean: meanOf(values), least: Math.min(...values), most: Math.max(...values) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function must<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export const fragmentation: Study = {
  name: "fragmentation",
  traces: [NODES, ...LISTS.map((list) => `${FOLDER}/${list}.csv`), EXPECTED],
  run(folder, say) {
    const read = (path: string) => readFileSync(join(folder, path));
    const nodes = must(readOpenbNodes(read(NODES), NODES));
    const rows: (string | number)[][] = [];
    for (const list of LISTS) {
      const pods = must(readOpenbPods(read(`${FOLDER}/${list}.csv`), list));
      const world = openbWorld(nodes, pods);
      for (const [rule, policy] of POLICIES) {
        const runs = SEEDS.map((seed) => allocation(world, pods, rule, seed));
        const own = runs.map(({ allocated }) => allocated);
        const theirs = published(folder, list, policy);
        const mean = meanOf(own);
        rows.push([
          list.replace("openb_pod_list_", ""),
          policy.slice(3),
          rule,
          mean.toFixed(2),
          `${Math.min(...own).toFixed(2)} to ${Math.max(...own).toFixed(2)}`,
          theirs.mean.toFixed(2),
          `${theirs.least.toFixed(2)} to ${theirs.most.toFixed(2)}`,
          mean >= theirs.least && mean <= theirs.most ? "yes" : "no",
          meanOf(runs.map(({ fragmented }) => fragmented)).toFixed(1),
        ]);
        say(rows.at(-1)!.join(" | "));
      }
    }
    return table(
      [
        "pods",
        "policy",
        "`placement`",
        "allocated, mean",
        "ten seeds",
        "published, mean",
        "ten seeds",
        "within",
        "of what is free, fragmented",
      ],
      rows,
    );
  },
};
