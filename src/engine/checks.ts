/**
 * Whole-state invariants, for tests, soak and `--check`: everything the books say is counted again from the holdings. What
 * costs O(what changed) is checked where it changes and is always on.
 */
import { JobStateCode, MemberStateCode, NodeStateCode } from "../model/states.ts";
import { WHOLE_DEVICE } from "../model/units.ts";
import { broken } from "./ledger.ts";
import { hasReadyMinimum } from "./readyMinimum.ts";
import type { Run } from "./run.ts";

/** Throws at the first broken invariant. O(live jobs + devices). */
export function checkRun(run: Run): void {
  checkDevices(run);
  checkCpusAndMemory(run);
  checkJobs(run);
  run.lifecycle.respeed.check();
}

function checkDevices(run: Run): void {
  const { world, allocations } = run;
  const { ledger, holdings } = allocations;
  const used = new Float64Array(world.cluster.deviceCount);
  for (let entry = 0; entry < holdings.used; entry++) {
    if (holdings.at.jobIdx[entry]! < 0) continue;
    if (run.live.at.lent[run.live.slotOf[holdings.at.jobIdx[entry]!]!] === 1) continue;
    const profile = world.jobs.components.mig[holdings.at.component[entry]!]!;
    const milli = ledger.milliOf(holdings.at.node[entry]!, holdings.at.part[entry]!, profile);
    for (let i = 0; i < holdings.at.count[entry]!; i++) {
      const device = holdings.at.device[entry]! + i;
      used[device] = used[device]! + milli;
      if (used[device]! > WHOLE_DEVICE)
        broken(`device ${device} is used ${used[device]} thousandths`);
    }
  }
  for (let node = 0; node < world.cluster.nodeCount; node++) {
    let free = 0;
    for (
      let device = world.cluster.deviceBase[node]!;
      device < world.cluster.deviceBase[node + 1]!;
      device++
    ) {
      if (run.repartitions.has(device) || run.failedDevices.has(device))
        used[device] = used[device]! + WHOLE_DEVICE;
      if (used[device] !== ledger.deviceUsed[device])
        broken(`device ${device}: booked ${ledger.deviceUsed[device]}, used ${used[device]}`);
      if (used[device] === 0) free++;
    }
    const shown = ledger.nodeState[node] === NodeStateCode.open ? free : 0;
    if (ledger.gpusFree[node] !== shown)
      broken(`node ${node} shows ${ledger.gpusFree[node]} free devices, has ${shown}`);
    if (ledger.cpuMilliFree[node]! < 0 || ledger.memMiBFree[node]! < 0)
      broken(`node ${node} has negative CPUs or memory`);
  }
}

function checkCpusAndMemory(run: Run): void {
  const { world, allocations, live } = run;
  const { ledger, holdings } = allocations;
  const { cluster } = world;
  const cpuMilli = new Float64Array(cluster.nodeCount);
  const memMiB = new Float64Array(cluster.nodeCount);
  const atDevices = new Float64Array(cluster.nodeCount);
  const { gpus } = world.jobs.components;
  for (let entry = 0; entry < holdings.used; entry++) {
    const jobIdx = holdings.at.jobIdx[entry]!;
    if (jobIdx < 0) continue;
    const node = holdings.at.node[entry]!;
    const away = live.at.cpusAway[live.slotOf[jobIdx]!] === 1;
    const cpus = away ? 0 : holdings.at.cpuMilli[entry]!;
    cpuMilli[node] = cpuMilli[node]! + cpus;
    if (gpus[holdings.at.component[entry]!]! > 0) atDevices[node] = atDevices[node]! + cpus;
    memMiB[node] = memMiB[node]! + holdings.at.memMiB[entry]!;
  }
  for (let node = 0; node < cluster.nodeCount; node++) {
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    if (cpuMilli[node]! + ledger.cpuMilliFree[node]! !== group.cpusPerNode * 1_000)
      broken(`node ${node}: ${cpuMilli[node]} CPUs/1,000 held, ${ledger.cpuMilliFree[node]} free`);
    if (atDevices[node] !== ledger.cpuMilliAtDevices[node])
      broken(
        `node ${node}: ${atDevices[node]} CPUs/1,000 held with devices, booked ${ledger.cpuMilliAtDevices[node]}`,
      );
    if (memMiB[node]! + ledger.memMiBFree[node]! !== group.memMiBPerNode)
      broken(`node ${node}: ${memMiB[node]} MiB held, ${ledger.memMiBFree[node]} free`);
  }
}

/** What a member does in each state of its job; `late` while it starts up on its own. */
function memberStateIn(jobState: number, late: boolean): number | undefined {
  switch (jobState) {
    case JobStateCode.placed:
      return MemberStateCode.held;
    case JobStateCode.starting:
      return MemberStateCode.starting;
    case JobStateCode.running:
      return late ? MemberStateCode.starting : MemberStateCode.running;
    case JobStateCode.checkpointing:
      return late ? MemberStateCode.starting : MemberStateCode.checkpointing;
    case JobStateCode.suspended:
      return MemberStateCode.suspended;
    case JobStateCode.ending:
      return MemberStateCode.ending;
    default:
      return undefined;
  }
}

/** An elastic job that runs may have members beyond the size of its group. */
function mayReserve({ live, world }: Run, slot: number): boolean {
  const jobIdx = live.at.jobIdx[slot]!;
  const elastic = world.jobs.lab.get(jobIdx)?.elastic ?? null;
  return elastic !== null && live.jobState[jobIdx] === JobStateCode.running;
}

function checkJobs(run: Run): void {
  const { live, allocations, world, clock } = run;
  for (let slot = 0; slot < live.used; slot++) {
    const jobIdx = live.at.jobIdx[slot]!;
    if (jobIdx < 0) continue;
    if (world.jobs.at.submitMs[jobIdx]! > clock.nowMs)
      broken(`job ${jobIdx} lives before its submit time`);
    let devices = 0;
    for (
      let entry = live.at.first[slot]!;
      entry >= 0;
      entry = allocations.holdings.at.next[entry]!
    ) {
      devices += allocations.holdings.at.count[entry]!;
      const late = allocations.holdings.at.readyMs[entry]! > clock.nowMs;
      const jobState = live.jobState[jobIdx]!;
      const goesOn = jobState === JobStateCode.running || jobState === JobStateCode.starting;
      const own =
        goesOn && late ? undefined : run.lifecycle.application?.memberState(jobIdx, jobState);
      const expected = own ?? memberStateIn(live.jobState[jobIdx]!, late);
      const state = allocations.holdings.at.memberState[entry];
      if (state !== expected && !(state === MemberStateCode.held && mayReserve(run, slot)))
        broken(`job ${jobIdx}: a member's state is not the job's`);
    }
    if (devices !== live.at.devices[slot])
      broken(`job ${jobIdx} holds ${devices} devices, booked ${live.at.devices[slot]}`);
    const runs = live.at.runStartMs[slot]! >= 0;
    if (runs !== live.at.first[slot]! >= 0)
      broken(`job ${jobIdx} has a run without devices or devices without a run`);
    if (live.at.lent[slot] === 1 && live.jobState[jobIdx] !== JobStateCode.suspended)
      broken(`job ${jobIdx} has lent its devices and is not suspended`);
    if (live.at.cpusAway[slot] === 1 && live.jobState[jobIdx] === JobStateCode.running)
      broken(`job ${jobIdx} makes progress without its CPUs`);
    const silent = allocations.holdsNodeIn(slot, NodeStateCode.silent);
    if ((live.at.silent[slot] === 1) !== silent)
      broken(`job ${jobIdx} ${silent ? "" : "does not "}hold a node that failed unnoticed`);
    const { workLeftQ16, safeLeftQ16 } = live.at;
    const workQ16 = world.jobs.at.workQ16[jobIdx]!;
    if (!(workLeftQ16[slot]! >= 0 && workLeftQ16[slot]! <= workQ16))
      broken(`job ${jobIdx} has ${workLeftQ16[slot]} of ${workQ16} left to do`);
    if (!(safeLeftQ16[slot]! >= workLeftQ16[slot]! && safeLeftQ16[slot]! <= workQ16))
      broken(`job ${jobIdx} has saved more than it has done`);
    const still =
      run.lifecycle.application?.memberState(jobIdx, JobStateCode.running) !== undefined;
    if (live.jobState[jobIdx] === JobStateCode.running) {
      if (!still && !hasReadyMinimum(world, live, allocations, slot, clock.nowMs))
        broken(`job ${jobIdx} makes progress below its minimum members`);
      if (live.at.startMs[slot]! < world.jobs.at.beginMs[jobIdx]!)
        broken(`job ${jobIdx} started before its begin time`);
    }
  }
}
