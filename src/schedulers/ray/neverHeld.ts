/**
 * Groups that no set of workers that may ever be there holds, however idle: some bundle is larger than every node that could be a worker, or there can never be enough of those. Ray's policy calls such a group pending
 * and retries it for ever; only the reason that is told here knows better. A bound: what it calls never, never is; bundles of unlike components may fit one by one and yet not together. Nodes that are closed or not rented
 * count, for they may come. O(components × nodes), once a class.
 */
import { CPU, covers, GPU, MEMORY } from "../../scheduling/ray/resources.ts";
import type { Board } from "./board.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import type { RaySetup } from "./setup.ts";
import type { RayState } from "./state.ts";

const known = new WeakMap<RaySetup, WeakMap<CallClass, boolean>>();

export function isNeverHeld(state: RayState, board: Board, calls: CallClass): boolean {
  const { setup } = state;
  let ofSetup = known.get(setup);
  if (ofSetup === undefined) {
    ofSetup = new WeakMap();
    known.set(setup, ofSetup);
  }
  let never = ofSetup.get(calls);
  if (never === undefined) {
    never = neverHolds(state, board, calls);
    ofSetup.set(calls, never);
  }
  return never;
}

function neverHolds(state: RayState, board: Board, calls: CallClass): boolean {
  const { strategy, requests, shape, sum } = calls;
  if (strategy === "STRICT_PACK") {
    const all = () => Number.POSITIVE_INFINITY;
    return (
      roomFor(state, board, calls, 0, (node) =>
        covers(board, board.total, node, sum) ? all() : 0,
      ) === 0
    );
  }
  const apart = strategy === "STRICT_SPREAD";
  for (const [component, request] of requests.entries()) {
    const bundles = (node: number) =>
      Math.min(apart ? 1 : Number.POSITIVE_INFINITY, bundlesOn(board, node, request));
    const { members } = shape.parts[component]!;
    if (roomFor(state, board, calls, component, bundles) < members) return true;
  }
  return [GPU, CPU, MEMORY].some((r) => {
    const all = mostOf(state, (node) => board.total[node * WIDTH + r]!);
    return sum[r]! > all + ROUNDING;
  });
}

const ROUNDING = 1e-6;

/** Bundles of a component that all workers together can hold. */
function roomFor(
  state: RayState,
  board: Board,
  { fits }: CallClass,
  component: number,
  bundlesOf: (node: number) => number,
): number {
  return mostOf(state, (node) => (board.fits(fits[component]!, node) ? bundlesOf(node) : 0));
}

/** What all workers can have at most: of a group that scales the nodes that have most, as many as it may have workers. */
function mostOf({ setup, absent }: RayState, amountOf: (node: number) => number): number {
  let sum = 0;
  for (const { nodes, most, scales } of setup.groups) {
    const there = nodes.filter((node) => absent[node] === 0);
    const amounts = (scales ? nodes : there).map(amountOf).sort((one, other) => other - one);
    for (const amount of amounts.slice(0, Math.max(most, there.length))) sum += amount;
  }
  return sum;
}

function bundlesOn({ total }: Board, node: number, request: Float64Array): number {
  let bundles = Number.POSITIVE_INFINITY;
  for (let r = 0; r < WIDTH; r++)
    if (request[r]! > 0)
      bundles = Math.min(bundles, Math.floor(total[node * WIDTH + r]! / request[r]!));
  return bundles;
}
