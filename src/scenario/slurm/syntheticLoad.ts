/**
 * A load that fits a cluster of which only the configuration is known, so that it is not an empty page: jobs for its GPU partitions, within
 * their limits, from accounts and with QOS that may go there, offering a little more than all GPUs for as long as they come. Always the
 * same jobs for the same configuration.
 */
import { randomStream } from "../../base/random.ts";
import type { SlurmConfig, SlurmPartition } from "../../model/slurm/config.ts";
import { MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";

type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];

const JOBS = 280;
/** Of all GPUs while jobs come: a queue forms, and is gone some hours later. */
const OFFERED = 1.05;
/** Where nobody passes the first waiting job much is left idle. */
const OFFERED_STRICT = 0.6;
const SEED = 1;
const MINUTES = [10, 20, 30, 45, 60, 90, 120, 180, 240, 360];
const NAMES = ["train", "finetune", "eval", "sweep", "preprocess", "ablation"];
/** No job is larger than this part of its partition. */
const LARGEST_PART = 3;
const MOST_PLACES = 32;

/** Where a job may go: a partition, with the accounts, users and QOS that it takes. */
interface Place {
  readonly partition: SlurmPartition;
  /** Nodes with GPUs, and the GPUs of the smallest of them. */
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** Jobs get whole nodes here, whatever they ask for. */
  readonly wholeNodes: boolean;
  readonly owners: readonly Owner[];
}

interface Owner {
  readonly team?: string;
  readonly user?: string;
  readonly tier?: string;
}

/** Jobs in the order of their submission; none where no partition has GPUs. `known`: tiers and teams that the scenario names. O(jobs + nodes × partitions). */
export function syntheticLoad(
  config: SlurmConfig,
  known: { readonly tiers: readonly string[]; readonly teams: readonly string[] },
): Job[] {
  const places = config.partitions
    .flatMap((partition) => placeOf(config, partition, known) ?? [])
    .slice(0, MOST_PLACES);
  if (places.length === 0) return [];
  const draw = randomStream(SEED, "load", "slurm");
  const jobs = Array.from({ length: JOBS }, (_, number) => drawJob(places, number, draw));
  const whole = new Map(places.map((place) => [place.partition.name, place]));
  const gpuMs = jobs.reduce(
    (sum, job) => sum + gpusHeld(job, whole.get(job.queue!)!) * job.workMs,
    0,
  );
  const gpus = gpusOfPlaces(config, places);
  const offered = config.schedulerType === "builtin" ? OFFERED_STRICT : OFFERED;
  const spanMs = Math.max(60 * MINUTE_MS, gpuMs / (offered * gpus));
  // Some are there at the start, so that there is something to see.
  const times = jobs.map((_, number) =>
    number % 8 === 0 ? draw() * MINUTE_MS : Math.floor(draw() * spanMs),
  );
  times.sort((a, b) => a - b);
  return jobs.map((job, number) => ({ ...job, submitMs: Math.floor(times[number]!) }));
}

function placeOf(
  config: SlurmConfig,
  partition: SlurmPartition,
  known: { readonly tiers: readonly string[]; readonly teams: readonly string[] },
): Place | null {
  if (partition.state !== "up") return null;
  const names = partition.nodes === null ? null : new Set(partition.nodes);
  const nodes = config.nodes.filter(
    (node) =>
      node.state === "up" && gpusOfNode(node) > 0 && (names === null || names.has(node.name)),
  );
  if (nodes.length === 0) return null;
  const owners = ownersOf(config, partition, known);
  if (owners.length === 0) return null;
  // Memory that is counted and that nobody asks for is all of the node's.
  const allMemory =
    config.select.memory &&
    partition.defMemPerCpuMiB + partition.defMemPerNodeMiB + partition.defMemPerGpuMiB === 0;
  const wholeNodes =
    config.select.type === "linear" || partition.overSubscribe === "exclusive" || allMemory;
  const most = Math.min(nodes.length, partition.maxNodes);
  const gpusPerNode = nodes.reduce((least, node) => Math.min(least, gpusOfNode(node)), 65_535);
  return { partition, nodes: most, gpusPerNode, wholeNodes, owners };
}

function gpusOfNode(node: SlurmConfig["nodes"][number]): number {
  return node.gres.reduce((sum, gres) => sum + (gres.name === "gpu" ? gres.count : 0), 0);
}

/** Accounts (with a user, where users are known) that the partition takes, each with a QOS that both allow. */
function ownersOf(
  config: SlurmConfig,
  partition: SlurmPartition,
  known: { readonly tiers: readonly string[]; readonly teams: readonly string[] },
): Owner[] {
  const { associations, enforce } = config;
  const enforced = enforce.associations || enforce.limits || enforce.qos;
  const accounts = known.teams.filter(
    (team) =>
      (partition.allowAccounts === null || partition.allowAccounts.includes(team)) &&
      !partition.denyAccounts.includes(team),
  );
  const qosFor = (own: readonly string[] | null, standard: string | null): Owner | null => {
    const mayUse = (name: string) =>
      (own === null || own.includes(name)) &&
      (partition.allowQos === null || partition.allowQos.includes(name)) &&
      !partition.denyQos.includes(name);
    const tiers = known.tiers.filter(mayUse);
    const first = standard !== null && tiers.includes(standard) ? standard : tiers[0];
    return first === undefined ? null : { tier: first };
  };
  if (accounts.length === 0) {
    const isOpen = known.teams.length === 0 && partition.allowAccounts === null;
    const qos = isOpen ? qosFor(null, "normal") : null;
    return qos === null ? [] : [qos];
  }
  return accounts.flatMap((team): Owner[] => {
    const mine = associations.filter((each) => each.account === team);
    const users = mine.filter((each) => each.user !== "");
    if (users.length > 0) {
      return users.slice(0, 3).flatMap(({ user, qos, defaultQos }) => {
        const found = qosFor(qos, defaultQos ?? "normal");
        return found === null ? [] : [{ ...found, team, user }];
      });
    }
    // Users that nobody knows are refused where associations are enforced.
    if (enforced && associations.length > 0) return [];
    const found = qosFor(mine[0]?.qos ?? null, mine[0]?.defaultQos ?? "normal");
    return found === null ? [] : [{ ...found, team }];
  });
}

/** One job; always the same number of draws. */
function drawJob(places: readonly Place[], number: number, draw: () => number): Job {
  const place = placeAt(places, draw());
  const owner = place.owners[Math.floor(draw() * place.owners.length)]!;
  const size = sizeOf(place, draw());
  const mostMin = Math.max(1, Math.floor(place.partition.maxTimeMs / MINUTE_MS));
  const wanted = MINUTES[Math.floor(draw() * MINUTES.length)]!;
  const workMin = Math.max(1, Math.min(wanted, Math.floor(mostMin * 0.8)));
  const limitMin = Math.min(mostMin, Math.ceil((workMin * (1.1 + draw() * 1.5)) / 10) * 10);
  const name = NAMES[Math.floor(draw() * NAMES.length)]!;
  return {
    id: `${number + 1}`,
    name,
    submitMs: 0,
    workMs: workMin * MINUTE_MS,
    limitMs: Math.max(limitMin, workMin) * MINUTE_MS,
    ...size,
    queue: place.partition.name,
    ...owner,
  };
}

/** Small jobs are many: parts of a node, whole nodes, some of them at once. */
function sizeOf(
  { nodes, gpusPerNode }: Place,
  drawn: number,
): { nodes: number; gpusPerNode: number } {
  if (drawn < 0.35) return { nodes: 1, gpusPerNode: 1 };
  if (drawn < 0.55) return { nodes: 1, gpusPerNode: Math.max(1, Math.floor(gpusPerNode / 2)) };
  if (drawn < 0.8) return { nodes: 1, gpusPerNode };
  const most = Math.max(1, Math.floor(nodes / LARGEST_PART));
  const steps = drawn < 0.92 ? 4 : 2;
  return { nodes: Math.max(1, Math.min(most, Math.ceil(most / steps))), gpusPerNode };
}

/** Places by their GPUs: a partition of one node gets few of the jobs. */
function placeAt(places: readonly Place[], drawn: number): Place {
  const weightOf = (place: Place) => place.nodes * place.gpusPerNode;
  let left = drawn * places.reduce((sum, place) => sum + weightOf(place), 0);
  for (const place of places) {
    left -= weightOf(place);
    if (left < 0) return place;
  }
  return places.at(-1)!;
}

function gpusHeld(job: Job, { wholeNodes, gpusPerNode }: Place): number {
  return (job.nodes ?? 1) * (wholeNodes ? gpusPerNode : (job.gpusPerNode ?? 1));
}

/** GPUs of the nodes that any of the partitions has. */
function gpusOfPlaces(config: SlurmConfig, places: readonly Place[]): number {
  const all = places.some(({ partition }) => partition.nodes === null);
  const names = new Set(places.flatMap(({ partition }) => partition.nodes ?? []));
  return config.nodes.reduce(
    (sum, node) => sum + (all || names.has(node.name) ? gpusOfNode(node) : 0),
    0,
  );
}
