/**
 * A recording of a real Slurm, replayed for the choice of nodes alone: every run is taken and given back at its recorded moment
 * on its recorded nodes, and at each start `selectNodes` is asked first.
 */
import { setBits } from "../../../../src/base/bits.ts";
import { Grant } from "../../../../src/engine/grant.ts";
import type { PoolView } from "../../../../src/engine/view.ts";
import type { SlurmConfig } from "../../../../src/model/slurm/config.ts";
import type { SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { NO_REQUEST } from "../../../../src/model/slurm/request.ts";
import { parseSlurm } from "../../../../src/scenario/slurm/parse.ts";
import { Choice } from "../../../../src/schedulers/slurm/select/choice.ts";
import { fillGrant } from "../../../../src/schedulers/slurm/select/grant.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import {
  freeResources,
  giveChoice,
  takeChoice,
} from "../../../../src/schedulers/slurm/select/resources.ts";
import { selectNodes } from "../../../../src/schedulers/slurm/select/select.ts";
import { wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { poolViewOf, type SmallCluster } from "./pool.ts";

export interface TruthJob {
  readonly id: string;
  readonly user?: string;
  readonly partition?: string;
  readonly nodes?: number | string;
  readonly gpusPerNode?: number;
  readonly gpus?: number;
  readonly gpusPerTask?: number;
  readonly ntasks?: number;
  readonly cpusPerTask?: number;
  readonly exclusive?: boolean | string;
  readonly features?: string;
  readonly nodelist?: string;
  readonly exclude?: string;
  readonly switches?: string | number;
}

export interface TruthSegment {
  readonly startSec: number | null;
  readonly endSec: number | null;
  readonly nodes?: readonly string[];
  readonly gpuIdx?: Readonly<Record<string, readonly number[]>>;
}

export interface TruthFile {
  readonly cluster: { readonly nodes: readonly { name: string; gpus: number; cpus: number }[] };
  readonly config: {
    readonly slurmConf: readonly string[];
    readonly nodes: readonly string[];
    readonly partitions: readonly string[];
    readonly gresConf?: readonly string[];
    readonly topologyConf?: readonly string[] | null;
    readonly sacctmgr?: readonly string[];
  };
  readonly jobs: readonly TruthJob[];
  readonly results: Readonly<Record<string, { readonly segments?: readonly TruthSegment[] }>>;
}

export interface Placed {
  readonly job: string;
  readonly atSec: number;
  readonly recorded: string;
  readonly chosen: string;
}

export function configOf(file: TruthFile): SlurmConfig {
  const text = (lines: readonly string[] | null | undefined) => (lines ?? []).join("\n");
  const { config } = file;
  const parsed = parseSlurm({
    conf: text([...config.slurmConf, ...config.nodes, ...config.partitions]),
    gres: text(config.gresConf),
    topology: text(config.topologyConf),
    accounting: text(config.sacctmgr),
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.value.config;
}

export function requestOf(job: TruthJob): SlurmRequest {
  const [min, max] = String(job.nodes ?? 0)
    .split("-")
    .map(Number);
  const list = (names: string | undefined) => (names === undefined ? [] : names.split(","));
  return {
    ...NO_REQUEST,
    minNodes: min ?? 0,
    maxNodes: max ?? min ?? 0,
    ntasks: job.ntasks ?? 0,
    cpusPerTask: job.cpusPerTask ?? 1,
    gpus: job.gpus ?? 0,
    gpusPerNode: job.gpusPerNode ?? 0,
    gpusPerTask: job.gpusPerTask ?? 0,
    constraint: job.features ?? "",
    nodelist: list(job.nodelist),
    exclude: list(job.exclude),
    exclusive: job.exclusive === true ? "node" : job.exclusive === "user" ? "user" : "no",
  };
}

/** The job as the scenario's expansion makes it: members and devices of its one component. */
export function memberOf(request: SlurmRequest) {
  if (request.gpus > 0) return { members: request.gpus, gpus: 1, ownNode: false };
  if (request.gpusPerTask > 0)
    return { members: request.ntasks, gpus: request.gpusPerTask, ownNode: false };
  return { members: Math.max(1, request.minNodes), gpus: request.gpusPerNode, ownNode: true };
}

interface Event {
  readonly atSec: number;
  readonly end: boolean;
  readonly jobIdx: number;
  readonly key: string;
  readonly segment: TruthSegment;
}

function eventsOf(file: TruthFile): Event[] {
  const events: Event[] = [];
  for (const [key, result] of Object.entries(file.results)) {
    const jobIdx = file.jobs.findIndex((job) => key === job.id || key.startsWith(`${job.id}_`));
    (result.segments ?? []).forEach((segment, index) => {
      if (segment.startSec === null || segment.nodes === undefined || jobIdx < 0) return;
      const one = { jobIdx, key: `${key}#${index}`, segment };
      events.push({ ...one, atSec: segment.startSec, end: false });
      events.push({ ...one, atSec: segment.endSec ?? 1e9, end: true });
    });
  }
  return events.sort(
    (a, b) => a.atSec - b.atSec || Number(b.end) - Number(a.end) || a.jobIdx - b.jobIdx,
  );
}

const show = (devices: ReadonlyMap<string, readonly number[]>): string =>
  [...devices]
    .map(([node, list]) => `${node}:${[...list].sort((a, b) => a - b).join(" ")}`)
    .sort()
    .join(" | ");

/** Replays a file; one entry for each recorded start. */
export function replay(file: TruthFile): Placed[] {
  const config = configOf(file);
  const cluster: SmallCluster = {
    nodes: file.cluster.nodes.map(({ name, gpus, cpus }) => ({ name, gpus, cpus, memMiB: 16_000 })),
  };
  const requests = file.jobs.map(requestOf);
  const pool = poolViewOf(cluster, requests.map(memberOf), requests);
  const view: PoolView = pool.view;
  const nodes = layNodes(view, config);
  const free = freeResources(nodes);
  const held = new Map<string, Choice>();
  const users = [...new Set(file.jobs.map((job) => job.user ?? ""))];
  const placed: Placed[] = [];
  for (const event of eventsOf(file)) {
    const job = file.jobs[event.jobIdx]!;
    const user = users.indexOf(job.user ?? "");
    const names = event.segment.nodes!;
    if (event.end) {
      giveChoice(free, nodes, held.get(event.key)!, user);
      for (const [name, list] of Object.entries(event.segment.gpuIdx ?? {}))
        pool.release(name, list);
      continue;
    }
    const partition =
      config.partitions.find((each) => each.name === job.partition) ??
      config.partitions.find((each) => each.isDefault)!;
    const wanted = wantedOf(view, config, nodes, partition, event.jobIdx);
    const options = selectOptions(config, partition);
    options.user = user;
    const choice = new Choice();
    const grant = new Grant();
    const candidates = new Int32Array(nodes.words);
    for (const name of partition.nodes ?? nodes.names) {
      const node = nodes.indexOf.get(name)!;
      setBits(candidates, node, node + 1);
    }
    const fits =
      selectNodes(nodes, wanted, candidates, free, options, choice) &&
      fillGrant(view, nodes, wanted, choice, grant);
    const chosen = new Map<string, number[]>();
    for (let row = 0; fits && row < grant.length; row++) {
      const name = view.cluster.nodeNames[grant.node[row]!]!;
      const devices = Array.from({ length: grant.count[row]! }, (_, i) => grant.first[row]! + i);
      chosen.set(name, [...(chosen.get(name) ?? []), ...devices]);
    }
    const recorded = new Map(names.map((name) => [name, event.segment.gpuIdx?.[name] ?? []]));
    placed.push({
      job: event.key,
      atSec: event.atSec,
      recorded: show(recorded),
      chosen: fits ? show(chosen) : "nothing",
    });
    const actual = new Choice();
    actual.exclusiveUser = wanted.exclusive === "user";
    names.forEach((name) => {
      const node = nodes.indexOf.get(name)!;
      const row = fits ? choice.node.subarray(0, choice.length).indexOf(node) : -1;
      const whole = wanted.exclusive === "node";
      const cpus = row >= 0 ? choice.cpus[row]! : wanted.cpusPerTask;
      actual.push(node, whole ? nodes.cpus[node]! : cpus, recorded.get(name)!.length, 0, 0, 1);
    });
    takeChoice(free, nodes, actual, user);
    held.set(event.key, actual);
    for (const [name, list] of recorded) pool.hold(name, list);
  }
  return placed;
}
