/**
 * Choices of nodes as drawings: one character a node, its free GPUs (`-` = a node that may not be used); the answer names what
 * was taken on each node (`.` = nothing).
 *
 *     8-88   1×8  →  8...
 */
import { setBits } from "../../../../src/base/bits.ts";
import type { SlurmConfig, SlurmPartition } from "../../../../src/model/slurm/config.ts";
import { defaultPartition } from "../../../../src/model/slurm/defaults.ts";
import { NO_REQUEST, type SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { Choice } from "../../../../src/schedulers/slurm/select/choice.ts";
import { layNodes, type SlurmNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import {
  freeResources,
  type Resources,
  takeChoice,
} from "../../../../src/schedulers/slurm/select/resources.ts";
import { selectNodes } from "../../../../src/schedulers/slurm/select/select.ts";
import { type Wanted, wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { defaultConfig } from "./partsOfNodes.ts";
import { poolViewOf, type SmallPool } from "./pool.ts";

export const GPUS = 8;
export const CPUS = 64;

export interface Setting {
  readonly request: Partial<SlurmRequest>;
  readonly config?: Partial<SlurmConfig>;
  readonly partition?: Partial<SlurmPartition>;
  /** Free CPUs by node; default all that its busy GPUs (one CPU each) leave. */
  readonly cpusFree?: readonly number[];
  readonly maxSwitches?: number;
  readonly gpus?: number;
}

export interface Drawn {
  readonly pool: SmallPool;
  readonly nodes: SlurmNodes;
  readonly wanted: Wanted;
  readonly free: Resources;
  readonly choice: Choice;
  readonly fits: boolean;
  readonly text: string;
}

export const nodeName = (index: number): string => `n${index + 1}`;

/** Chooses nodes on a drawn map. */
export function choose(map: string, setting: Setting): Drawn {
  const request: SlurmRequest = { ...NO_REQUEST, ...setting.request };
  const gpus = setting.gpus ?? GPUS;
  const cluster = {
    nodes: [...map].map((_, index) => ({
      name: nodeName(index),
      gpus,
      cpus: CPUS,
      memMiB: 16_000,
    })),
  };
  const pool = poolViewOf(cluster, [membersOf(request)], [request]);
  const config: SlurmConfig = { ...defaultConfig(), ...setting.config };
  const partition: SlurmPartition = { ...defaultPartition("p"), ...setting.partition };
  const nodes = layNodes(pool.view, config);
  const free = freeResources(nodes);
  const candidates = new Int32Array(nodes.words);
  [...map].forEach((sign, node) => {
    if (sign === "-") return;
    setBits(candidates, node, node + 1);
    const busy = gpus - Number(sign);
    const cpus = CPUS - (setting.cpusFree?.[node] ?? CPUS - Math.min(1, busy));
    if (busy === 0 && cpus === 0) return;
    const other = new Choice();
    other.push(node, cpus, busy, 0, 0, 1);
    takeChoice(free, nodes, other, 99);
    pool.hold(
      nodeName(node),
      Array.from({ length: busy }, (_, device) => device),
    );
  });
  const wanted = wantedOf(pool.view, config, nodes, partition, 0);
  const options = selectOptions(config, partition);
  options.user = 1;
  options.maxSwitches = setting.maxSwitches ?? 0;
  const choice = new Choice();
  const fits = selectNodes(nodes, wanted, candidates, free, options, choice);
  return { pool, nodes, wanted, free, choice, fits, text: fits ? show(map, choice) : "waits" };
}

function show(map: string, choice: Choice): string {
  const taken = new Map<number, number>();
  for (let row = 0; row < choice.length; row++) taken.set(choice.node[row]!, choice.gpus[row]!);
  return [...map].map((_, node) => taken.get(node) ?? ".").join("");
}

/** The members that the scenario's expansion makes of a request. */
export function membersOf(request: SlurmRequest) {
  if (request.gpus > 0) return { members: request.gpus, gpus: 1, ownNode: false };
  if (request.ntasks > 0)
    return { members: request.ntasks, gpus: request.gpusPerTask, ownNode: false };
  const nodes = Math.max(1, request.minNodes, request.nodelist.length);
  return { members: nodes, gpus: request.gpusPerNode, ownNode: true };
}
