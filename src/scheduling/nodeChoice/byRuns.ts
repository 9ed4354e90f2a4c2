/**
 * Best fit on runs of consecutive usable nodes, the rule where there is no tree of switches: the smallest run that suffices;
 * where none does, the one with most CPUs, all of it, and again for the rest. In a run, a node that holds all that is missing
 * is taken alone, the one with fewest CPUs first; else nodes in order. A run ends where the weight changes; lighter runs first.
 * Runs with required nodes come first, and are filled upwards from the required one, then downwards.
 */
import { hasBit, nextClear, nextSet } from "../../base/bits.ts";
import type { Trial } from "./trial.ts";
import { enoughNodes, pick, satisfied, suffices } from "./trial.ts";

/** The runs of one attempt; grown as needed, used again. */
const runs = {
  count: 0,
  start: new Int32Array(64),
  end: new Int32Array(64),
  nodes: new Int32Array(64),
  cpus: new Float64Array(64),
  gpus: new Float64Array(64),
  required: new Int32Array(64),
  weight: new Float64Array(64),
};

/** Picks nodes until the job is satisfied; false if it cannot be. O(nodes + runs × runs taken). */
export function pickByRuns(trial: Trial): boolean {
  const { wanted } = trial;
  if (satisfied(trial)) return true;
  findRuns(trial);
  if (runs.count > MANY_RUNS && inOneOrder(trial)) return takeSorted(trial);
  while (trial.leftMaxNodes > 0) {
    const best = bestRun(trial);
    if (best < 0) break;
    if (wanted.contiguous && !sufficient(trial, best)) break;
    const required = runs.required[best]!;
    if (required >= 0) takeAround(trial, required, runs.start[best]!, runs.end[best]!);
    else takeInOrder(trial, runs.start[best]!, runs.end[best]!);
    if (satisfied(trial)) return true;
    runs.nodes[best] = 0;
    runs.cpus[best] = 0;
  }
  return suffices(trial);
}

/** From so many runs on it pays to sort them once. */
const MANY_RUNS = 32;
let keys = new Float64Array(64);
/** A sort key is (longest − length) × KEY + index of the run. */
const KEY = 2 ** 24;

/** Only lengths decide: nodes are alike, and nothing is asked of single runs. */
function inOneOrder(trial: Trial): boolean {
  const { wanted } = trial;
  return trial.alike && !wanted.contiguous && trial.pickedCount === 0;
}

/** The same as taking the best run again and again, with the runs sorted by length. O(runs × log runs). */
function takeSorted(trial: Trial): boolean {
  const { count } = runs;
  if (keys.length < count) keys = new Float64Array(count * 2);
  for (let run = 0; run < count; run++) keys[run] = (KEY - runs.nodes[run]!) * KEY + run;
  const sorted = keys.subarray(0, count).sort();
  for (let at = 0; at < count && trial.leftMaxNodes > 0; at++) {
    const longest = runAt(sorted, at);
    const suits = runs.nodes[longest]! >= Math.max(trial.leftCpus, trial.leftNodes);
    const run = suits ? tightestAfter(trial, sorted, at) : longest;
    takeInOrder(trial, runs.start[run]!, runs.end[run]!);
    if (satisfied(trial)) return true;
  }
  return suffices(trial);
}

const runAt = (sorted: Float64Array, at: number): number => sorted[at]! % KEY;

/** The first of the shortest runs that suffice, among those from `from` on in the sorted order. */
function tightestAfter(trial: Trial, sorted: Float64Array, from: number): number {
  const needed = Math.max(trial.leftCpus, trial.leftNodes);
  let low = from;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs.nodes[runAt(sorted, middle)]! >= needed) low = middle;
    else high = middle - 1;
  }
  const length = runs.nodes[runAt(sorted, low)]!;
  let first = from;
  let last = low;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (runs.nodes[runAt(sorted, middle)]! <= length) last = middle;
    else first = middle + 1;
  }
  return runAt(sorted, first);
}

function findRuns(trial: Trial): void {
  const { map, nodes, picked, wanted } = trial;
  const { count } = nodes;
  const byWeight = !nodes.oneWeight && !wanted.contiguous;
  const hasRequired = trial.pickedCount > 0;
  runs.count = 0;
  if (!hasRequired && !byWeight) {
    for (let from = nextSet(map, 0, count); from < count; ) {
      const to = nextClear(map, from, count);
      openRun(from, 0);
      closeRun(trial, to - 1);
      from = nextSet(map, to, count);
    }
    return;
  }
  let open = false;
  for (let node = 0; node <= count; node++) {
    const isPicked = node < count && hasRequired && hasBit(picked, node);
    const usable = node < count && (isPicked || hasBit(map, node));
    const weight = byWeight && usable ? nodes.weight[node]! : 0;
    if (open && (!usable || weight !== runs.weight[runs.count])) {
      closeRun(trial, node - 1);
      open = false;
    }
    if (!usable) continue;
    if (!open) openRun(node, weight);
    open = true;
    if (isPicked && runs.required[runs.count] === -1) runs.required[runs.count] = node;
  }
}

function openRun(start: number, weight: number): void {
  if (runs.count === runs.start.length) growRuns();
  runs.start[runs.count] = start;
  runs.weight[runs.count] = weight;
  runs.required[runs.count] = -1;
}

/** Sums up what the run offers; a run of required nodes only is dropped. */
function closeRun(trial: Trial, end: number): void {
  const at = runs.count;
  const start = runs.start[at]!;
  runs.end[at] = end;
  let cpus = 0;
  let gpus = 0;
  let count = end - start + 1;
  if (trial.alike) cpus = count * trial.cpus[start]!;
  else {
    count = 0;
    for (let node = start; node <= end; node++) {
      if (!hasBit(trial.map, node)) continue;
      count++;
      cpus += trial.cpus[node]!;
      gpus += trial.gpus[node]!;
    }
  }
  runs.nodes[at] = count;
  runs.cpus[at] = cpus;
  runs.gpus[at] = gpus;
  if (count > 0) runs.count++;
}

function growRuns(): void {
  const room = runs.start.length * 2;
  const grown = (from: Int32Array) => {
    const to = new Int32Array(room);
    to.set(from);
    return to;
  };
  const wide = (from: Float64Array) => {
    const to = new Float64Array(room);
    to.set(from);
    return to;
  };
  runs.start = grown(runs.start);
  runs.end = grown(runs.end);
  runs.nodes = grown(runs.nodes);
  runs.required = grown(runs.required);
  runs.cpus = wide(runs.cpus);
  runs.gpus = wide(runs.gpus);
  runs.weight = wide(runs.weight);
}

function sufficient(trial: Trial, run: number): boolean {
  return (
    runs.cpus[run]! >= trial.leftCpus &&
    enoughNodes(trial, runs.nodes[run]!) &&
    runs.gpus[run]! >= trial.leftGpus
  );
}

function bestRun(trial: Trial): number {
  const { contiguous, required } = trial.wanted;
  const mustHold = contiguous && required.length > 0;
  let best = -1;
  let bestSuffices = false;
  for (let run = 0; run < runs.count; run++) {
    if (runs.nodes[run] === 0 || (mustHold && runs.required[run] === -1)) continue;
    const fits = sufficient(trial, run);
    if (best >= 0 && !isBetter(run, fits, best, bestSuffices, contiguous)) continue;
    best = run;
    bestSuffices = fits;
  }
  return best;
}

function isBetter(
  run: number,
  fits: boolean,
  best: number,
  bestFits: boolean,
  contiguous: boolean,
): boolean {
  if (runs.required[best] === -1 && runs.required[run] !== -1) return true;
  const weight = runs.weight[run]! - runs.weight[best]!;
  if (weight < 0) return true;
  if (contiguous && fits && !bestFits) return true;
  if (weight > 0) return false;
  const cpus = runs.cpus[run]!;
  if (fits) return !bestFits || cpus < runs.cpus[best]!;
  return cpus > runs.cpus[best]!;
}

/** From the first required node of the run up to its end, then down to its start. */
function takeAround(trial: Trial, from: number, start: number, end: number): void {
  for (let node = from; node <= end; node++) if (!takeNext(trial, node)) return;
  for (let node = from - 1; node >= start; node--) if (!takeNext(trial, node)) return;
}

/** False once nothing more is to be taken. */
function takeNext(trial: Trial, node: number): boolean {
  if (trial.leftMaxNodes <= 0 || satisfied(trial)) return false;
  if (hasBit(trial.map, node) && trial.cpus[node]! > 0) pick(trial, node);
  return true;
}

function takeInOrder(trial: Trial, start: number, end: number): void {
  if (trial.leftNodes <= 1) {
    const single = trial.alike ? firstAlike(trial, start) : bestSingle(trial, start, end);
    if (single >= 0) {
      pick(trial, single);
      return;
    }
  }
  for (let node = start; node <= end; node++) {
    if (trial.leftMaxNodes <= 0 || satisfied(trial)) return;
    if (!hasBit(trial.map, node)) continue;
    // The last node must bring all CPUs that are missing.
    if (trial.leftMaxNodes === 1 && trial.cpus[node]! < trial.leftCpus) continue;
    pick(trial, node);
  }
}

function firstAlike(trial: Trial, start: number): number {
  return trial.cpus[start]! >= trial.leftCpus && trial.leftGpus <= 0 ? start : -1;
}

/** The node of the run that holds all that is missing with the fewest CPUs; the first of equals. */
function bestSingle(trial: Trial, start: number, end: number): number {
  let best = -1;
  for (let node = start; node <= end; node++) {
    if (!hasBit(trial.map, node)) continue;
    const cpus = trial.cpus[node]!;
    if (cpus < trial.leftCpus || trial.gpus[node]! < trial.leftGpus) continue;
    if (best >= 0 && cpus >= trial.cpus[best]!) continue;
    best = node;
    if (cpus === trial.leftCpus) break;
  }
  return best;
}
