/**
 * Elastic jobs resolved: which numbers of members are allowed, and how fast each is. Speeds are relative to the component's own `members`, from a measured table
 * (straight line between its points, its ends held) or from a factor: each doubling of the members gives 2 × `scaling` of the speed, so speed(n) = (n / members) ^ (1 + log2 scaling).
 */
import ln from "@stdlib/math-base-special-ln";
import pow from "@stdlib/math-base-special-pow";
import { deepspeedSizes } from "../../model/lab/elasticity.ts";
import type { Elastic } from "../../model/lab/jobLife.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { JobEntry } from "../../scenario/schema.ts";

type ElasticEntry = NonNullable<JobEntry["elastic"]>;

type Deepspeed = NonNullable<Elastic["deepspeed"]>;

/** DeepSpeed's batch and its numbers of GPUs, where the document asks for its rule. `gpus`: of one member. */
function deepspeedOf(entry: ElasticEntry, gpus: number): Deepspeed | null {
  if (entry.deepspeed === undefined) return null;
  const { microBatches, maxBatch } = entry.deepspeed;
  const [least, most] = [entry.minMembers * gpus, entry.maxMembers * gpus];
  return { ...deepspeedSizes(microBatches, maxBatch, least, most), microBatches };
}

/** Numbers of members that are allowed, ascending; may be empty with DeepSpeed's rule. */
function allowedMembers(entry: ElasticEntry, gpus: number, deepspeed: Deepspeed | null): number[] {
  const { minMembers: least, maxMembers: most, allowed } = entry;
  if (deepspeed !== null)
    return deepspeed.sizes.filter((size) => size % gpus === 0).map((size) => size / gpus);
  if (allowed === undefined)
    return Array.from({ length: most - least + 1 }, (_, index) => least + index);
  const inRange = allowed.filter((members) => members >= least && members <= most);
  return [...new Set(inRange)].sort((a, b) => a - b);
}

/** `members` and `gpus` are those of the job's first component. */
export function elasticOf(entry: ElasticEntry, members: number, gpus: number): Elastic {
  const unit = Math.max(1, gpus);
  const deepspeed = deepspeedOf(entry, unit);
  const allowed = allowedMembers(entry, unit, deepspeed);
  const speed = speedBy(entry, members);
  return {
    minMembers: entry.minMembers,
    maxMembers: entry.maxMembers,
    reference: members,
    allowed,
    restart: entry.restart,
    rendezvousMs: entry.rendezvousMs,
    maxRestarts: entry.maxRestarts,
    speedQ16: allowed.map((size) => Math.max(1, Math.round(speed(size) * SPEED_ONE))),
    ...(deepspeed === null ? {} : { deepspeed }),
  };
}

/** Members that the job asks for at first: the largest allowed number up to `members`, else the smallest. Spare ones would only be held. */
export function firstMembers({ allowed }: Elastic, members: number): number {
  return allowed.findLast((size) => size <= members) ?? allowed[0] ?? members;
}

function speedBy(entry: ElasticEntry, reference: number): (members: number) => number {
  if (entry.throughput === undefined) {
    const exponent = 1 + ln(entry.scaling) / ln(2);
    return (members) => pow(members / reference, exponent);
  }
  const points = entry.throughput.toSorted((a, b) => a.members - b.members);
  const at = (members: number) => onLine(points, members);
  return at;
}

type Point = { readonly members: number; readonly speed: number };

/** A straight line between the points; before the first and behind the last, their speed. */
function onLine(points: readonly Point[], members: number): number {
  const next = points.findIndex((point) => point.members >= members);
  if (next < 0) return points[points.length - 1]!.speed;
  const right = points[next]!;
  const left = points[next - 1];
  if (left === undefined || right.members === members) return right.speed;
  const part = (members - left.members) / (right.members - left.members);
  return left.speed + part * (right.speed - left.speed);
}
