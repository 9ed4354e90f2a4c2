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

/** Numbers of members that are allowed, ascending; may be empty with DeepSpeed's rule. `gpus`: of one member. */
function allowedMembers(entry: ElasticEntry, gpus: number): number[] {
  const { minMembers: least, maxMembers: most, allowed, deepspeed } = entry;
  if (deepspeed !== undefined) {
    const unit = Math.max(1, gpus);
    const { microBatches, maxBatch } = deepspeed;
    const { sizes } = deepspeedSizes(microBatches, maxBatch, least * unit, most * unit);
    return sizes.filter((size) => size % unit === 0).map((size) => size / unit);
  }
  if (allowed === undefined)
    return Array.from({ length: most - least + 1 }, (_, index) => least + index);
  const inRange = allowed.filter((members) => members >= least && members <= most);
  return [...new Set(inRange)].sort((a, b) => a - b);
}

/** `members` and `gpus` are those of the job's first component. */
export function elasticOf(entry: ElasticEntry, members: number, gpus: number): Elastic {
  const allowed = allowedMembers(entry, gpus);
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
