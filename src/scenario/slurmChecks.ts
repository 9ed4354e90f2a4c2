/** Checks of what only Slurm knows: requests of jobs, reservations, and the command that needs its scheduler. */
import { policyAt } from "./policyAt.ts";
import type { Report } from "./report.ts";
import type { Intervention, JobEntry, Scenario } from "./schema.ts";
import { expandHostlist } from "./slurm/hostlist.ts";

type SizedJob = Omit<JobEntry, "submitMs">;

/** A job's request: one size, numbers that can be met together, nodes that there are. O(nodes named). */
export function checkSlurmJob(
  job: SizedJob,
  slurm: NonNullable<JobEntry["slurm"]>,
  nodes: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  const at = `${place}/slurm`;
  for (const key of ["gpus", "gpusPerNode"] as const) {
    if (slurm[key] === undefined || job[key] === undefined) continue;
    report(`${at}/${key}`, "The job gives its GPUs twice.", `Leave one of the two ${key} out.`);
  }
  if (slurm.gpusPerTask !== undefined && slurm.ntasks === undefined && slurm.gpus === undefined)
    report(`${at}/gpusPerTask`, "GPUs a task go with a number of tasks.", "Give ntasks too.");
  const least = slurm.minNodes ?? job.nodes;
  if (slurm.maxNodes !== undefined && least !== undefined && slurm.maxNodes < least)
    report(`${at}/maxNodes`, "The most nodes are fewer than the least.", `Use at least ${least}.`);
  if (slurm.timeMinMs !== undefined && slurm.timeMinMs > (job.limitMs ?? slurm.timeMinMs))
    report(`${at}/timeMinMs`, "The least time is above the limit.", "Make it at most limitMs.");
  checkHosts(slurm.nodelist, nodes, `${at}/nodelist`, report);
  checkHosts(slurm.exclude, nodes, `${at}/exclude`, report);
}

/** A host list that names only nodes of the cluster. */
export function checkHosts(
  text: string | undefined,
  nodes: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  if (text === undefined) return;
  const names = expandHostlist(text);
  if (!names.ok) {
    report(place, names.error, "Write names and ranges, such as dgx[001-004],login1.");
    return;
  }
  const unknown = names.value.find((name) => !nodes.has(name));
  if (unknown === undefined) return;
  const [first] = nodes;
  report(place, `There is no node "${unknown}".`, `Use names of nodes, such as "${first}".`);
}

/** A job moved to the top: its pool is Slurm's at that time. O(interventions). */
export function checkTop(scenario: Scenario, atMs: number, index: number, report: Report): void {
  const isSlurm = scenario.pools.some(
    (pool) => policyAt(scenario, pool.id, atMs, index).preset === "slurm",
  );
  if (isSlurm) return;
  report(
    `/interventions/${index}/kind`,
    "Only Slurm can move a job to the top of its user's jobs.",
    "Choose the preset slurm, or remove this change.",
  );
}

/** A reservation made while the run goes on: a stretch of time, and nodes. O(nodes named). */
export function checkReservation(
  entry: Extract<Intervention, { kind: "reserve" }>,
  nodes: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  if (entry.endMs <= entry.startMs)
    report(`${place}/endMs`, "The reservation ends before it begins.", "Make endMs larger.");
  if ((entry.nodes === undefined) === (entry.nodeCount === undefined)) {
    report(
      `${place}/nodes`,
      "A reservation is for nodes by name or for a number of nodes.",
      "Give one of nodes and nodeCount.",
    );
  }
  if (entry.nodes?.trim().toUpperCase() === "ALL") return;
  checkHosts(entry.nodes, nodes, `${place}/nodes`, report);
}
