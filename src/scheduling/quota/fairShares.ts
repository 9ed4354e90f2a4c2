/**
 * What each team is due now: its quota as far as it has work for it, then the rest by shares among those that want more, up to what they want
 * (weighted max-min, "progressive filling"); on a tree, level by level. Quota, fair share and what is held are three numbers; which of them
 * a take-back restores is a setting. Fair shares need not be whole devices: they guide order and take-back, and stop nobody from starting.
 * O(teams × log), when demand or holdings have changed. Source: progressive filling, Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 */
import type { TeamBooks } from "./teamTree.ts";

/** By child of the node under way; and by node. Kept, for there are many such sums. */
let most = new Float64Array(16);
let level = new Float64Array(16);
let order = new Int32Array(16);
let demand = new Float64Array(16);

/** `wantedOwn`: what waiting jobs of each team ask for. The result is by node, thousandths. */
export function fairSharesOf(books: TeamBooks, wantedOwn: Float64Array): Float64Array {
  const { tree, heldOwn } = books;
  const { upwards, teams: root } = tree;
  if (demand.length <= root) {
    most = new Float64Array(2 * root);
    level = new Float64Array(2 * root);
    order = new Int32Array(2 * root);
    demand = new Float64Array(2 * root);
  }
  demand.fill(0, 0, root + 1);
  for (let at = 0; at < upwards.length; at++) {
    const node = upwards[at]!;
    demand[node]! += heldOwn[node]! + wantedOwn[node]!;
    if (node !== root) demand[tree.parent[node]!]! += demand[node]!;
  }
  const due = new Float64Array(root + 1);
  due[root] = Math.min(books.capacity, demand[root]!);
  for (let at = upwards.length - 1; at >= 0; at--) fill(books, upwards[at]!, due);
  return due;
}

function fill(books: TeamBooks, node: number, due: Float64Array): void {
  const { tree, quota, own, heldOwn } = books;
  const children = tree.children[node]!;
  if (children.length === 0) return;
  const capacity = node === tree.teams ? books.capacity : due[node]!;
  // Jobs of the parent itself keep what is its own.
  let left = Math.max(0, capacity - Math.min(heldOwn[node]!, own[node]!));
  let claimed = 0;
  let shares = 0;
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!;
    most[at] = Math.min(demand[child]!, quota[child]! + tree.borrowMost[child]!);
    const base = Math.min(quota[child]!, most[at]!);
    claimed += base;
    shares += tree.shares[child]!;
    level[at] = (most[at]! - base) / Math.max(tree.shares[child]!, Number.MIN_VALUE);
    insertByLevel(at);
    due[child] = base;
  }
  const scale = claimed > left ? left / claimed : 1;
  left = Math.max(0, left - claimed);
  for (let place = 0; place < children.length; place++) {
    const at = order[place]!;
    const child = children[at]!;
    const base = due[child]!;
    const share = tree.shares[child]!;
    const part = shares > 0 ? Math.min(most[at]! - base, (left * share) / shares) : 0;
    due[child] = base * scale + part;
    left -= part;
    shares -= share;
  }
}

/** Keeps the children up to `at` in order of the fill level at which each is satisfied; the earlier of equals first. */
function insertByLevel(at: number): void {
  let place = at;
  for (; place > 0 && level[order[place - 1]!]! > level[at]!; place--)
    order[place] = order[place - 1]!;
  order[place] = at;
}
