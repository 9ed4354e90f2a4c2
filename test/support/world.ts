/**
 * Worlds and schedules as text. A world is a line for the cluster and a line for each job or change; a schedule is drawn with
 * one row a device and one column a second.
 *
 *     4 gpus                            one flat machine of 4 devices
 *     3 nodes x 8 gpus, 2 leaves        also: `32 cpus`, `512 mem` a node
 *     0s  A x3 10s                      job A, submitted at 0 s, 3 devices wherever they are, 10 s of work
 *     2s  B 2x8 5s limit 9s             2 nodes of 8 devices each; limit 9 s
 *     2s  C 4*2 5s min 2 tier 1         4 members of 2 devices, 2 of them enough; also: `any` (no gang), `cpus 4`, `mem 64`,
 *                                       words of its life (`lifeWords.ts`), `share 250`, `mig 2g.20gb`, `begin 8s`, `after:ok A`, `pool 1`, `service`, `kind ci`
 *     5s  ! drain 0 1                   also: fail, resume (nodes); cancel A; retier A 2; policy 0 name
 */
import { allocate } from "../../src/base/columns.ts";
import type { Cluster } from "../../src/model/cluster.ts";
import {
  COMPONENT_SHAPE,
  type Dependency,
  type DependencyKind,
  JOB_KINDS,
  JOB_SHAPE,
  JobFlag,
  type JobKind,
  type JobTable,
  nameOf,
} from "../../src/model/jobs.ts";
import { type JobLife, PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { Storage } from "../../src/model/lab/services.ts";
import type { PoolSettings } from "../../src/model/policy.ts";
import type { SlurmRequest } from "../../src/model/slurm/request.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import type { Change, World } from "../../src/model/world.ts";
import { lifeWords } from "./lifeWords.ts";

export interface JobSpec {
  readonly name: string;
  readonly submitMs: number;
  readonly workMs: number;
  readonly limitMs?: number;
  readonly beginMs?: number;
  readonly tier?: number;
  readonly pool?: number;
  readonly kind?: JobKind;
  readonly flags?: number;
  readonly components: readonly ComponentSpec[];
  readonly after?: readonly {
    readonly name: string;
    readonly kind: DependencyKind;
    readonly delayMs?: number;
    readonly anyOf?: boolean;
    readonly singleton?: boolean;
  }[];
  readonly slurm?: SlurmRequest;
  /** What it does in its life, where that is more than work. */
  readonly life?: Partial<JobLife>;
}

export interface ComponentSpec {
  readonly members: number;
  readonly minMembers?: number;
  readonly gpus: number;
  readonly shareMilli?: number;
  readonly mig?: string;
  readonly ownNode?: boolean;
  readonly cpuMilli?: number;
  readonly memMiB?: number;
}

export interface ClusterSpec {
  readonly nodes: number;
  readonly gpus: number;
  readonly leaves?: number;
  readonly cpus?: number;
  readonly memMiB?: number;
  readonly flat?: boolean;
}

export interface WorldSpec {
  readonly cluster: ClusterSpec;
  readonly jobs: readonly JobSpec[];
  readonly changes?: readonly Change[];
  /** Nodes by pool; default: all in pool 0. */
  readonly poolOfNode?: readonly number[];
  /** Nodes that do not exist at time 0. */
  readonly unborn?: readonly number[];
  readonly pools?: readonly PoolSettings[];
  readonly horizonMs?: number;
  readonly killAtLimit?: boolean;
  readonly storage?: Storage;
  /** Jobs from this one on are injected ones. */
  readonly injectedFrom?: number;
}

const DEFAULT_POOL: PoolSettings = { preset: "fcfs", settings: {} };

export function clusterOf(spec: ClusterSpec): Cluster {
  const leaves = spec.leaves ?? 1;
  const perLeaf = Math.ceil(spec.nodes / leaves);
  return {
    nodeCount: spec.nodes,
    deviceCount: spec.nodes * spec.gpus,
    nodeNames: Array.from({ length: spec.nodes }, (_, i) => `n${i}`),
    nodeGroup: new Uint16Array(spec.nodes),
    groups: [
      {
        id: "g",
        gpuModel: "H100",
        gpuMemMiB: 81_920,
        gpusPerNode: spec.gpus,
        cpusPerNode: spec.cpus ?? 0,
        memMiBPerNode: spec.memMiB ?? 0,
        numaDomains: 1,
        labels: {},
      },
    ],
    deviceBase: Int32Array.from({ length: spec.nodes + 1 }, (_, i) => i * spec.gpus),
    leafCount: leaves,
    spineCount: 1,
    leafOfNode: Int32Array.from({ length: spec.nodes }, (_, i) => Math.floor(i / perLeaf)),
    spineOfLeaf: new Int32Array(leaves),
    leafNames: Array.from({ length: leaves }, (_, i) => `leaf${i}`),
    nvswitchOfNode: Int32Array.from({ length: spec.nodes }, (_, i) => i),
    nvswitchCount: spec.nodes,
    hasFabric: leaves > 1,
    flat: spec.flat ?? false,
    deviceWord: spec.flat ? "processor" : "GPU",
  };
}

export function jobTableOf(specs: readonly JobSpec[], injectedFrom = specs.length): JobTable {
  const at = allocate(JOB_SHAPE, specs.length + 1);
  const rows = specs.reduce((sum, spec) => sum + spec.components.length, 0);
  const components = allocate(COMPONENT_SHAPE, rows);
  const migProfiles: string[] = [];
  const dependencies: Dependency[] = [];
  let row = 0;
  specs.forEach((spec, i) => {
    at.submitMs[i] = spec.submitMs;
    at.workQ16[i] = spec.workMs * SPEED_ONE;
    at.limitMs[i] = spec.limitMs ?? Number.POSITIVE_INFINITY;
    at.beginMs[i] = spec.beginMs ?? spec.submitMs;
    at.tier[i] = spec.tier ?? 0;
    at.kind[i] = JOB_KINDS.indexOf(spec.kind ?? "training");
    at.flags[i] =
      (spec.flags ?? JobFlag.gang | JobFlag.preemptible) |
      (i >= injectedFrom ? JobFlag.injected : 0);
    at.firstComponent[i] = row;
    for (const component of spec.components) {
      components.members[row] = component.members;
      components.minMembers[row] = component.minMembers ?? component.members;
      components.gpus[row] = component.gpus;
      components.shareMilli[row] = component.shareMilli ?? 0;
      components.ownNode[row] = component.ownNode ? 1 : 0;
      components.cpuMilli[row] = component.cpuMilli ?? 0;
      components.memMiB[row] = component.memMiB ?? 0;
      if (component.mig !== undefined) {
        if (!migProfiles.includes(component.mig)) migProfiles.push(component.mig);
        components.mig[row] = 1 + migProfiles.indexOf(component.mig);
      }
      at.gpuTotal[i] = at.gpuTotal[i]! + component.members * component.gpus;
      row++;
    }
    for (const dependency of spec.after ?? []) {
      const onJobIdx = specs.findIndex((other) => other.name === dependency.name);
      dependencies.push({
        jobIdx: i,
        onJobIdx,
        kind: dependency.kind,
        delayMs: dependency.delayMs ?? 0,
        anyOf: dependency.anyOf ?? false,
        singleton: dependency.singleton ?? false,
      });
    }
  });
  at.firstComponent[specs.length] = row;
  const names = {
    numbers: new Float64Array(specs.length).fill(-1),
    texts: new Map(specs.map((spec, i) => [i, spec.name])),
  };
  return {
    count: specs.length,
    at,
    components,
    ids: names,
    names,
    users: [""],
    gpuModels: ["H100"],
    migProfiles,
    dependencies,
    lab: new Map(
      specs.flatMap((spec, i) =>
        spec.life ? [[i, { ...PLAIN_LIFE, ...spec.life }] as const] : [],
      ),
    ),
    slurm: new Map(specs.flatMap((spec, i) => (spec.slurm ? [[i, spec.slurm] as const] : []))),
  };
}

export function worldOf(spec: WorldSpec): World {
  const pools = spec.pools ?? [DEFAULT_POOL];
  return {
    cluster: clusterOf(spec.cluster),
    jobs: jobTableOf(spec.jobs, spec.injectedFrom),
    tiers: ["critical", "high", "normal", "low"].map((id) => ({
      id,
      name: id,
      letter: id[0]!.toUpperCase(),
    })),
    teams: [],
    queues: [],
    pools: pools.map((settings, i) => ({ id: `p${i}`, settings })),
    poolOfNode: Uint8Array.from(
      { length: spec.cluster.nodes },
      (_, i) => spec.poolOfNode?.[i] ?? 0,
    ),
    unbornNodes: spec.unborn ?? [],
    poolOfJob: Uint8Array.from(spec.jobs, (job) => job.pool ?? 0),
    changes: [...(spec.changes ?? [])].sort((a, b) => a.atMs - b.atMs),
    horizonMs: spec.horizonMs ?? Number.POSITIVE_INFINITY,
    killAtLimit: spec.killAtLimit ?? true,
    storage: spec.storage ?? null,
  };
}

/** Reads the text form above; `more` overrides what the text cannot say. */
export function worldFromText(text: string, more: Partial<WorldSpec> = {}): World {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const cluster = parseCluster(lines[0]!);
  const jobs = lines
    .slice(1)
    .filter((line) => !line.includes("!"))
    .map(parseJob);
  const changes = lines
    .slice(1)
    .filter((line) => line.includes("!"))
    .map((line, source) => parseChange(line, source, jobs));
  return worldOf({ cluster, jobs, changes, ...more });
}

function seconds(word: string): number {
  return Math.round(Number.parseFloat(word) * 1_000);
}

function parseCluster(line: string): ClusterSpec {
  const flat = /^(\d+) gpus$/.exec(line);
  if (flat) return { nodes: 1, gpus: Number(flat[1]), flat: true };
  const shape = /^(\d+) nodes? x (\d+) gpus/.exec(line);
  if (!shape) throw new Error(`No cluster: ${line}`);
  const numberBefore = (word: string, fallback: number) =>
    Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? fallback);
  return {
    nodes: Number(shape[1]),
    gpus: Number(shape[2]),
    leaves: numberBefore("leaves", 1),
    cpus: numberBefore("cpus", 0),
    memMiB: numberBefore("mem", 0),
  };
}

function parseJob(line: string): JobSpec {
  const [submit, name, size, work, ...rest] = line.split(/\s+/);
  const value = (word: string) => {
    const i = rest.indexOf(word);
    return i < 0 ? undefined : rest[i + 1]!;
  };
  const after = rest.flatMap((word, i) => {
    const kind = /^after(:(ok|notok|any))?$/.exec(word);
    if (!kind) return [];
    const kinds = { ok: "afterOk", notok: "afterNotOk", any: "afterAny", start: "after" } as const;
    return [{ name: rest[i + 1]!, kind: kinds[(kind[2] as "ok" | undefined) ?? "start"] }];
  });
  const limit = value("limit");
  const begin = value("begin");
  const min = value("min");
  const share = value("share");
  const mig = value("mig");
  const kind = value("kind");
  const shape = parseSize(size!);
  const life = lifeWords(rest, shape.members);
  const least = life?.elastic?.minMembers;
  const flags =
    JobFlag.preemptible |
    (rest.includes("any") ? 0 : JobFlag.gang) |
    (rest.includes("service") ? JobFlag.service : 0);
  return {
    name: name!,
    submitMs: seconds(submit!),
    workMs: seconds(work!),
    ...(limit ? { limitMs: seconds(limit) } : {}),
    ...(begin ? { beginMs: seconds(begin) } : {}),
    tier: Number(value("tier") ?? 0),
    pool: Number(value("pool") ?? 0),
    ...(kind ? { kind: kind as JobKind } : {}),
    ...(life ? { life } : {}),
    flags,
    after,
    components: [
      {
        ...shape,
        ...(min ? { minMembers: Number(min) } : least ? { minMembers: least } : {}),
        ...(share ? { shareMilli: Number(share) } : {}),
        ...(mig ? { mig } : {}),
        cpuMilli: Number(value("cpus") ?? 0) * 1_000,
        memMiB: Number(value("mem") ?? 0),
      },
    ],
  };
}

function parseSize(size: string): ComponentSpec {
  const total = /^x(\d+)$/.exec(size);
  if (total) return { members: Number(total[1]), gpus: 1 };
  const nodes = /^(\d+)x(\d+)$/.exec(size);
  if (nodes) return { members: Number(nodes[1]), gpus: Number(nodes[2]), ownNode: true };
  const members = /^(\d+)\*(\d+)$/.exec(size);
  if (members) return { members: Number(members[1]), gpus: Number(members[2]) };
  throw new Error(`No size: ${size}`);
}

function parseChange(line: string, source: number, jobs: readonly JobSpec[]): Change {
  const [at, , kind, ...rest] = line.split(/\s+/);
  const base = { atMs: seconds(at!), source };
  const jobIdx = jobs.findIndex((job) => job.name === rest[0]);
  switch (kind) {
    case "drain":
    case "fail":
    case "resume":
      return { ...base, kind, nodes: rest.map(Number) };
    case "cancel":
      return { ...base, kind, jobIdx };
    case "retier":
      return { ...base, kind, jobIdx, tier: Number(rest[1]) };
    case "policy":
      return { ...base, kind, pool: Number(rest[0]), settings: { preset: rest[1]!, settings: {} } };
    default:
      throw new Error(`No change: ${line}`);
  }
}

export function jobNamed(world: World, name: string): number {
  for (let i = 0; i < world.jobs.count; i++) if (nameOf(world.jobs.names, i) === name) return i;
  throw new Error(`No job ${name}`);
}
