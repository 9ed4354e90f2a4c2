/**
 * Tasks and actors: one after the other in the order of each scheduling class, each on a node of its own choosing. A call that no node can start now waits where it is, and its class with it;
 * other classes go on, so whatever fits passes, and nothing is kept for anybody. A pass costs O(classes × log + calls placed × nodes). Source: ray-project/ray
 * `src/ray/raylet/scheduling/cluster_lease_manager.cc`, `local_lease_manager.cc`.
 */
import { mix32 } from "../../base/mix32.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { affinityOf } from "../../scheduling/ray/affinity.ts";
import { isPassedOver } from "../../scheduling/ray/fairDispatch.ts";
import { hybridCandidates } from "../../scheduling/ray/hybrid.ts";
import { CPU, covers, type NodeMask } from "../../scheduling/ray/resources.ts";
import { spreadNode } from "../../scheduling/ray/spread.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import { grantOn } from "./devices.ts";
import { block, classAt, give, grant, openLines, type Session } from "./session.ts";
import { countMissing, leaveLine, missing } from "./state.ts";

const TASK_TRIPS = 2;
const ACTOR_TRIPS = 3;

export function callPass(session: Session): void {
  const { view, state, setup } = session;
  const lanes = openLines(session, state.calls, state.blockedCalls);
  const load = setup.fairDispatch ? loadOf(session) : null;
  for (const lane of lanes) {
    const calls = classAt(session, lane);
    const cpuMilli = calls.requests[0]![CPU]!;
    if (load !== null && cpuMilli > 0) {
      const running = state.running.get(lane.classIdx) ?? 0;
      if (isPassedOver(load, running)) {
        block(session, state.blockedCalls, lane, kubeReasonCode("rayFair"));
        continue;
      }
    }
    while (lane.first < lane.jobs.length) {
      const jobIdx = lane.jobs[lane.first]!;
      // Nobody joins a job that is suspended or writes a checkpoint; it is looked at again with the next news.
      if (!mayJoin(view.jobState[jobIdx]!)) break;
      const reason = placeOne(session, calls, jobIdx);
      if (reason === 0) {
        if (load !== null && cpuMilli > 0) {
          load.running++;
          load.cpuAsked -= cpuMilli;
        }
        continue;
      }
      if (reason < 0) continue;
      block(session, state.blockedCalls, lane, reason);
      break;
    }
  }
}

function mayJoin(state: number): boolean {
  return state !== JobStateCode.checkpointing && state !== JobStateCode.suspended;
}

interface Load {
  cpuAsked: number;
  readonly cpuThere: number;
  running: number;
  readonly classes: number;
}

/** CPUs asked for and there. Classes that no node is large enough for do not count. */
function loadOf({ state, board, classes }: Session): Load {
  const infeasible = kubeReasonCode("rayInfeasible");
  const load = { cpuAsked: 0, cpuThere: 0, running: 0, classes: 0 };
  for (const { classIdx, jobs, first } of state.calls.list) {
    const { requests, members } = classes.list[classIdx]!;
    const cpuMilli = requests[0]![CPU]!;
    if (first === jobs.length || cpuMilli === 0) continue;
    if (state.blockedCalls.get(classIdx) === infeasible) continue;
    load.classes++;
    load.cpuAsked += (jobs.length - first) * members * cpuMilli;
  }
  for (const [classIdx, members] of state.running) {
    const { kind, requests } = classes.list[classIdx]!;
    if (kind !== "placementGroup" && requests[0]![CPU]! > 0) load.running += members;
  }
  for (let node = 0; node < board.count; node++)
    if (board.alive[node] === 1) load.cpuThere += board.total[node * WIDTH + CPU]!;
  return load;
}

/** One member of a job; 0 = it has a node, −1 = the job is over, else why not. */
function placeOne(session: Session, calls: CallClass, jobIdx: number): number {
  const { view, act, state, setup, board } = session;
  const component = missing(state, calls, jobIdx);
  const trips = calls.kind === "actors" ? ACTOR_TRIPS : TASK_TRIPS;
  const startupMs = trips * setup.rpcMs + setup.workerStartMs;
  let mask = board.maskOf(calls, component);
  for (let tries = 0; ; tries++) {
    const node = chooseNode(session, calls, component, jobIdx, mask);
    if (node === FAILS) {
      if (view.jobState[jobIdx] !== JobStateCode.queued) return kubeReasonCode("rayInfeasible");
      leaveLine(view, state, jobIdx);
      act.refuse(jobIdx, kubeReasonCode("rayInfeasible"));
      return -1;
    }
    const isFree = node >= 0 && covers(board, board.available, node, calls.requests[component]!);
    if (!isFree) {
      if (tries > 0) return kubeReasonCode("rayParts");
      return kubeReasonCode(node === NONE ? "rayInfeasible" : "rayBusy");
    }
    grant.clear();
    if (grantOn(view, calls, component, node, 1, grant)) {
      if (calls.spreads) state.spreadFrom = (node + 1) % board.count;
      give(session, jobIdx, startupMs, state.blockedCalls.size > 0);
      return 0;
    }
    // The sum was enough, the GPUs are not: the raylet passes the call on.
    mask = (mask ?? board.alive).slice();
    mask[node] = 0;
  }
}

const NONE = -1;
const FAILS = -2;
const candidates: number[] = [];

/** A node that is large enough, one that can start it now if there is any; −1 = none, −2 = the call fails. */
function chooseNode(
  { view, state, setup, board }: Session,
  calls: CallClass,
  component: number,
  jobIdx: number,
  mask: NodeMask,
): number {
  const request = calls.requests[component]!;
  if (calls.node !== "") {
    const node = view.cluster.nodeNames.indexOf(calls.node);
    const affinity = affinityOf(request, node, calls.soft, mask, board);
    if (affinity === "fail") return FAILS;
    if (affinity !== "elsewhere") return node;
  }
  if (calls.spreads) return spreadNode(request, mask, board, state.spreadFrom);
  const local = setup.driverOnFirst ? (view.nodes[0] ?? NONE) : NONE;
  const ask = {
    request,
    local,
    requireAvailable: false,
    avoidLocal: false,
    mask,
    known: board.known,
  };
  hybridCandidates(ask, board, setup.hybrid, candidates);
  if (candidates.length <= 1) return candidates[0] ?? NONE;
  const left = countMissing(state, calls, jobIdx);
  return candidates[mix32(view.world.seed ?? 0, jobIdx, left) % candidates.length]!;
}
