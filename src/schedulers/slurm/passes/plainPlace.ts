/**
 * The place of a job on a flat machine, where all processors are alike: what `selectNodes` chooses, found on bit sets alone. The
 * shortest run of open processors that suffices is taken from its start; where none suffices, the longest is taken whole, and
 * again for the rest; the first of equals.
 */
import { nextClear, nextSet, setBits } from "../../../base/bits.ts";

let starts = new Int32Array(64);
let lengths = new Int32Array(64);

/** Puts `need` nodes of `open` ∩ `nodes` into a new set. There must be as many. O(words + runs × runs taken). */
export function plainPlace(
  open: Int32Array,
  nodes: Int32Array,
  nodeCount: number,
  need: number,
): Int32Array {
  const set = new Int32Array(nodes.length);
  for (let word = 0; word < set.length; word++) set[word] = open[word]! & nodes[word]!;
  const runs = findRuns(set, nodeCount);
  set.fill(0);
  for (let left = need; left > 0; ) {
    const best = bestRun(runs, left);
    const taken = Math.min(left, lengths[best]!);
    setBits(set, starts[best]!, starts[best]! + taken);
    lengths[best] = 0;
    left -= taken;
  }
  return set;
}

function findRuns(set: Int32Array, nodeCount: number): number {
  let count = 0;
  for (let from = nextSet(set, 0, nodeCount); from < nodeCount; ) {
    const to = nextClear(set, from, nodeCount);
    if (count === starts.length) grow();
    starts[count] = from;
    lengths[count++] = to - from;
    from = nextSet(set, to, nodeCount);
  }
  return count;
}

function bestRun(runs: number, need: number): number {
  let best = 0;
  for (let run = 1; run < runs; run++) {
    const length = lengths[run]!;
    const most = lengths[best]!;
    if (most >= need ? length >= need && length < most : length > most) best = run;
  }
  return best;
}

function grow(): void {
  const longer = (from: Int32Array): Int32Array<ArrayBuffer> => {
    const to = new Int32Array(from.length * 2);
    to.set(from);
    return to;
  };
  starts = longer(starts);
  lengths = longer(lengths);
}
