/**
 * The first pass over a pool: nodes are read, jobs that another policy runs are taken over with what they hold, jobs that wait are
 * submitted in the order of their numbers.
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { NO_REQUEST } from "../../model/slurm/request.ts";
import { JobStateCode } from "../../model/states.ts";
import { onSubmit } from "../../scheduling/limits/books.ts";
import { noteMain } from "./clock.ts";
import { keepPending, keepRun } from "./keepMemory.ts";
import { changeRequest, createJob, settle } from "./life/jobs.ts";
import { readNodes, submit } from "./life/news.ts";
import { givePriority } from "./life/priorities.ts";
import { adoptRun } from "./life/runs.ts";
import { Choice } from "./select/choice.ts";
import type { SlurmNodes } from "./select/nodes.ts";
import type { SlurmJob, SlurmState } from "./state.ts";

const held = new Grant();

/** O(nodes + jobs that wait or run). */
export function takeOver(view: PoolView, state: SlurmState, act: Actions): void {
  readNodes(view, state);
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    // A gang with too few members waits still; its devices are its own until it has given them back.
    if (view.jobState[jobIdx] === JobStateCode.placed) continue;
    const job = createJob(view, state, jobIdx);
    held.clear();
    view.holdings(jobIdx, held);
    state.jobs.set(jobIdx, job);
    onSubmit(state.limits, job);
    job.restarts = Math.max(0, view.runs(jobIdx) - 1);
    const kept = state.kept?.get(jobIdx);
    if (kept !== undefined) keepRun(kept, job);
    adoptRun(view, state, job, choiceOf(state.setup.nodes, held));
  }
  const waiting = view.waiting();
  const jobs = [...waiting.at.subarray(0, waiting.length)];
  for (const jobIdx of jobs) {
    if (view.jobState[jobIdx] === JobStateCode.placed) act.evict(jobIdx, "requeue", 0, -1);
    const kept = state.kept?.get(jobIdx);
    if (kept === undefined) submit(view, state, jobIdx, act);
    else resubmit(view, state, kept, act);
  }
  state.kept = null;
  // Without jobs there is nothing to look at, and no pass from which `batch_sched_delay` would count.
  if (state.jobs.size > 0) noteMain(state, view.nowMs);
}

/** A job that was accepted under the configuration before stays accepted; it keeps what it was told and since when it waits. */
function resubmit(view: PoolView, state: SlurmState, kept: SlurmJob, act: Actions): void {
  const job = createJob(view, state, kept.jobIdx);
  // Options that `scontrol update` changed stay changed.
  if (kept.request !== (view.jobs.slurm.get(kept.jobIdx) ?? NO_REQUEST))
    changeRequest(view, state, job, kept.request);
  keepPending(kept, job, state.setup.config.priority.type === "basic");
  state.jobs.set(job.jobIdx, job);
  onSubmit(state.limits, job);
  if (job.hold === "none" && job.priority === 0) givePriority(view, state, job);
  settle(view, state, job, act);
}

/** What a job holds, by Slurm node. */
function choiceOf(nodes: SlurmNodes, grant: Grant): Choice {
  const cpus = new Map<number, number>();
  const gpus = new Map<number, number>();
  const memMiB = new Map<number, number>();
  const add = (to: Map<number, number>, node: number, amount: number): void => {
    to.set(node, (to.get(node) ?? 0) + amount);
  };
  for (let row = 0; row < grant.length; row++) {
    const first = nodes.nodeOfEngine[grant.node[row]!]!;
    if (nodes.flat) {
      for (let i = 0; i < grant.count[row]!; i++) add(cpus, first + grant.first[row]! + i, 1);
      continue;
    }
    add(cpus, first, Math.ceil(Math.max(0, grant.cpuMilli[row]!) / 1_000));
    add(memMiB, first, Math.max(0, grant.memMiB[row]!));
    if (grant.part[row] === 0) add(gpus, first, grant.count[row]!);
  }
  const choice = new Choice();
  choice.clear();
  for (const node of [...cpus.keys()].sort((one, other) => one - other)) {
    choice.push(node, cpus.get(node)!, gpus.get(node) ?? 0, 0, memMiB.get(node) ?? 0, 0);
  }
  return choice.copy();
}
