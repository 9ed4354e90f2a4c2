/**
 * Jobs of a field case that fit nowhere, not even on the empty machine. The rules leave them in the queue for ever, where they block those behind
 * them or use up the jobs looked at; the product refuses such jobs when they arrive. Nodes that are closed from the start and could hold them keep
 * them waiting without room for anybody.
 */
import type { FieldJob, FieldNode, FieldPolicy } from "./fieldCaseFile.ts";

/** Closed nodes for the jobs that fit nowhere; none if every job fits. O(jobs × nodes). */
export function nodesForNobody(
  nodes: readonly FieldNode[],
  jobs: readonly FieldJob[],
  policy: FieldPolicy,
): FieldNode[] {
  const never = jobs.filter((job) => !fitsEmpty(job, nodes, policy));
  if (never.length === 0) return [];
  const most = (of: (job: FieldJob) => number | undefined) =>
    Math.max(...never.map((job) => of(job) ?? 0));
  const taken = new Set(nodes.map(({ id }) => id));
  const tags = [...new Set(never.flatMap((job) => job.tags ?? []))];
  const reserve = (policy.cpu_reserve_per_gpu ?? 0) * most(({ gpus }) => gpus);
  const count = most(({ tasks }) => tasks ?? 1);
  return Array.from({ length: count }, (_, at) => ({
    id: freeName(`closed${at}`, taken),
    gpus: most(({ gpus }) => gpus),
    cpus: most(({ cpus }) => cpus) + reserve,
    mem: most(({ mem }) => mem),
    tags,
  }));
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? freeName(`${wanted}-`, taken) : wanted;
}

/** Whether the tasks of a job fit on the nodes when nothing else runs. O(nodes). */
export function fitsEmpty(
  job: FieldJob,
  nodes: readonly FieldNode[],
  policy: FieldPolicy,
): boolean {
  let places = 0;
  for (const node of nodes) {
    const needed = job.tags ?? [];
    if (!needed.every((tag) => (node.tags ?? []).includes(tag))) continue;
    places +=
      job.distinct === true ? Math.min(1, tasksOn(node, job, policy)) : tasksOn(node, job, policy);
  }
  return places >= (job.tasks ?? 1);
}

function tasksOn(node: FieldNode, job: FieldJob, policy: FieldPolicy): number {
  const { gpus = 0, cpus = 0, mem = 0 } = job;
  const kept = gpus > 0 ? 0 : (policy.cpu_reserve_per_gpu ?? 0) * node.gpus;
  const times = (room: number, each: number) =>
    each > 0 ? Math.floor(room / each) : Number.POSITIVE_INFINITY;
  const most = Math.min(
    times(node.gpus, gpus),
    times((node.cpus ?? Number.POSITIVE_INFINITY) - kept, cpus),
    times(node.mem ?? Number.POSITIVE_INFINITY, mem),
    job.tasks ?? 1,
  );
  return Math.max(0, most);
}
