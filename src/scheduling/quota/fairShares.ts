/**
 * What each team is due now: its quota as far as it has work for it, then the rest by shares among those that want more, up to what they want
 * (weighted max-min, "progressive filling"); on a tree, level by level. Quota, fair share and what is held are three numbers; which of them
 * a take-back restores is a setting. Fair shares need not be whole devices: they guide order and take-back, and stop nobody from starting.
 * O(teams × log), when demand or holdings have changed. Source: progressive filling, Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 */
import type { TeamBooks } from "./teamTree.ts";

/** `wantedOwn`: what waiting jobs of each team ask for. The result is by node, thousandths. */
export function fairSharesOf(books: TeamBooks, wantedOwn: Float64Array): Float64Array {
  const { tree, heldOwn } = books;
  const root = tree.teams;
  const demand = new Float64Array(root + 1);
  for (const node of tree.upwards) {
    demand[node]! += heldOwn[node]! + wantedOwn[node]!;
    if (node !== root) demand[tree.parent[node]!]! += demand[node]!;
  }
  const due = new Float64Array(root + 1);
  due[root] = Math.min(books.capacity, demand[root]!);
  for (let at = tree.upwards.length - 1; at >= 0; at--) fill(books, tree.upwards[at]!, demand, due);
  return due;
}

function fill(books: TeamBooks, node: number, demand: Float64Array, due: Float64Array): void {
  const { tree, quota, own, heldOwn } = books;
  const children = tree.children[node]!;
  if (children.length === 0) return;
  const capacity = node === tree.teams ? books.capacity : due[node]!;
  // Jobs of the parent itself keep what is its own.
  let left = Math.max(0, capacity - Math.min(heldOwn[node]!, own[node]!));
  const most = children.map((child) =>
    Math.min(demand[child]!, quota[child]! + tree.borrowMost[child]!),
  );
  const base = children.map((child, at) => Math.min(quota[child]!, most[at]!));
  const claimed = base.reduce((sum, milli) => sum + milli, 0);
  const scale = claimed > left ? left / claimed : 1;
  for (const [at, child] of children.entries()) due[child] = base[at]! * scale;
  left = Math.max(0, left - claimed);
  // In order of the fill level at which each is satisfied.
  const levelOf = (at: number): number =>
    (most[at]! - base[at]!) / Math.max(tree.shares[children[at]!]!, Number.MIN_VALUE);
  const order = children.map((_, at) => at).sort((a, b) => levelOf(a) - levelOf(b) || a - b);
  let shares = children.reduce((sum, child) => sum + tree.shares[child]!, 0);
  for (const at of order) {
    const share = tree.shares[children[at]!]!;
    const part = shares > 0 ? Math.min(most[at]! - base[at]!, (left * share) / shares) : 0;
    due[children[at]!]! += part;
    left -= part;
    shares -= share;
  }
}
