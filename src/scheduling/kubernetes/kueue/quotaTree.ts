/**
 * Kueue's tree of quotas: leaves are ClusterQueues, inner nodes Cohorts, and every node may have a quota of its own per cell (a flavor and a resource). What a node can
 * hand out is its own quota plus what its children lend. Use fills the part that is never lent first; the rest is charged to the parent, and so on upwards. So use of a
 * node depends only on what its queues use, never on the order of events. Setting up is O(nodes × cells); charging and asking what is free O(depth). Source: kubernetes-sigs/kueue
 * `pkg/cache/scheduler/resource_node.go`; docs "Cluster Queue", "Cohort".
 */

export interface CellQuota {
  readonly nominal: number;
  /** Most that may be used above what the node and its children own; `Infinity` = no limit. */
  readonly borrowingLimit: number;
  /** Most that others may use of it; `Infinity` = all. */
  readonly lendingLimit: number;
}

export interface QuotaNode {
  /** Breaks ties, smaller first. */
  readonly name: string;
  /** −1: no parent. */
  readonly parentIdx: number;
  /** Weight of fair sharing. */
  readonly weight: number;
  readonly isQueue: boolean;
  /** By cell; null = no entry: nominal 0 and no limits. */
  readonly quotas: readonly (CellQuota | null)[];
}

/** What never changes while quotas stay as they are. Amounts are by node × cell. */
export interface QuotaTree {
  readonly nodes: readonly QuotaNode[];
  /** Children by node, in order of names. */
  readonly children: readonly (readonly number[])[];
  readonly cells: number;
  /** Resource of each cell; resources are numbered in alphabetical order. */
  readonly resourceOfCell: readonly number[];
  readonly resources: number;
  /** Whether the node, or something below it, has an entry. */
  readonly declared: Uint8Array;
  /** Own quota and what children lend. */
  readonly subtree: Float64Array;
  /** The part of it that is never lent. */
  readonly local: Float64Array;
  /** The most that could ever be used at the node. */
  readonly potential: Float64Array;
  /** By node × resource: all that the node could ever hand out. */
  readonly lendable: Float64Array;
  /** Distance to the furthest leaf. */
  readonly height: Int32Array;
}

/** Amounts in use, by node × cell: the part of the quotas that moves. A snapshot is a copy. */
export type QuotaUsage = Float64Array;

/** Amount of one cell that a workload takes. */
export interface CellAmount {
  readonly cell: number;
  readonly amount: number;
}

const NO_QUOTA: CellQuota = {
  nominal: 0,
  borrowingLimit: Number.POSITIVE_INFINITY,
  lendingLimit: Number.POSITIVE_INFINITY,
};

/** `resourceOfCell`: the resource of each cell, numbered in alphabetical order. Parents may stand behind their children. */
export function quotaTree(
  nodes: readonly QuotaNode[],
  resourceOfCell: readonly number[],
): QuotaTree {
  const cells = resourceOfCell.length;
  const resources = Math.max(-1, ...resourceOfCell) + 1;
  const children = childrenOf(nodes);
  const tree: QuotaTree = {
    nodes,
    children,
    cells,
    resourceOfCell,
    resources,
    declared: new Uint8Array(nodes.length * cells),
    subtree: new Float64Array(nodes.length * cells),
    local: new Float64Array(nodes.length * cells),
    potential: new Float64Array(nodes.length * cells),
    lendable: new Float64Array(nodes.length * resources),
    height: new Int32Array(nodes.length),
  };
  const downwards = topDown(nodes, children);
  for (const node of [...downwards].reverse()) gather(tree, node);
  for (const node of downwards) spread(tree, node);
  return tree;
}

export function noUsage(tree: QuotaTree): QuotaUsage {
  return new Float64Array(tree.nodes.length * tree.cells);
}

function childrenOf(nodes: readonly QuotaNode[]): number[][] {
  const children: number[][] = nodes.map(() => []);
  for (const [idx, { parentIdx }] of nodes.entries()) children[parentIdx]?.push(idx);
  for (const list of children)
    list.sort((left, right) => (nodes[left]!.name < nodes[right]!.name ? -1 : 1));
  return children;
}

/** Every node behind its parent. */
function topDown(nodes: readonly QuotaNode[], children: readonly (readonly number[])[]): number[] {
  const order = nodes.flatMap(({ parentIdx }, idx) => (parentIdx < 0 ? [idx] : []));
  for (const idx of order) order.push(...children[idx]!);
  return order;
}

/** What a node owns with its children, and which part of it stays there. Its children are done. */
function gather(tree: QuotaTree, node: number): void {
  const below = tree.children[node]!;
  tree.height[node] = below.reduce((most, child) => Math.max(most, tree.height[child]! + 1), 0);
  for (let cell = 0; cell < tree.cells; cell++) {
    const at = node * tree.cells + cell;
    const quota = tree.nodes[node]!.quotas[cell] ?? null;
    let owned = quota?.nominal ?? 0;
    let declared = quota !== null;
    for (const child of below) {
      const childAt = child * tree.cells + cell;
      owned += tree.subtree[childAt]! - tree.local[childAt]!;
      declared ||= tree.declared[childAt] === 1;
    }
    tree.subtree[at] = owned;
    tree.declared[at] = declared ? 1 : 0;
    tree.local[at] = Math.max(0, owned - (quota ?? NO_QUOTA).lendingLimit);
  }
}

/** The most that could be used at a node. Its parent is done. */
function spread(tree: QuotaTree, node: number): void {
  const { parentIdx, quotas } = tree.nodes[node]!;
  const rootIdx = rootOf(tree, node);
  for (let cell = 0; cell < tree.cells; cell++) {
    const at = node * tree.cells + cell;
    const owned = tree.subtree[at]!;
    const { borrowingLimit } = quotas[cell] ?? NO_QUOTA;
    tree.potential[at] =
      parentIdx < 0
        ? owned
        : Math.min(
            tree.local[at]! + tree.potential[parentIdx * tree.cells + cell]!,
            owned + borrowingLimit,
          );
    if (tree.declared[rootIdx * tree.cells + cell] === 1)
      tree.lendable[node * tree.resources + tree.resourceOfCell[cell]!]! += tree.potential[at]!;
  }
}

export function rootOf(tree: QuotaTree, node: number): number {
  let root = node;
  while (tree.nodes[root]!.parentIdx >= 0) root = tree.nodes[root]!.parentIdx;
  return root;
}

/** Charges an amount to a node. */
export function charge(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  cell: number,
  amount: number,
): void {
  for (let at = node, rest = amount; at >= 0 && rest > 0; at = tree.nodes[at]!.parentIdx) {
    const own = localFree(tree, usage, at, cell);
    usage[at * tree.cells + cell]! += rest;
    rest -= own;
  }
}

/** Takes an amount back that has been charged. */
export function release(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  cell: number,
  amount: number,
): void {
  for (let at = node, rest = amount; at >= 0 && rest > 0; at = tree.nodes[at]!.parentIdx) {
    const place = at * tree.cells + cell;
    const above = usage[place]! - tree.local[place]!;
    usage[place]! -= rest;
    rest = Math.min(rest, above);
  }
}

export function chargeAll(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  amounts: readonly CellAmount[],
): void {
  for (const { cell, amount } of amounts) charge(tree, usage, node, cell, amount);
}

export function releaseAll(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  amounts: readonly CellAmount[],
): void {
  for (const { cell, amount } of amounts) release(tree, usage, node, cell, amount);
}

/** Free in the part of a node that is never lent. */
export function localFree(tree: QuotaTree, usage: QuotaUsage, node: number, cell: number): number {
  const at = node * tree.cells + cell;
  return Math.max(0, tree.local[at]! - usage[at]!);
}

/** What a node could use now without anybody's leaving; below 0 where quotas have been cut. */
export function available(tree: QuotaTree, usage: QuotaUsage, node: number, cell: number): number {
  const at = node * tree.cells + cell;
  const { parentIdx, quotas } = tree.nodes[node]!;
  if (parentIdx < 0) return tree.subtree[at]! - usage[at]!;
  const { borrowingLimit } = quotas[cell] ?? NO_QUOTA;
  const lent = tree.subtree[at]! - tree.local[at]!;
  const fromParent = lent - Math.max(0, usage[at]! - tree.local[at]!) + borrowingLimit;
  return (
    localFree(tree, usage, node, cell) +
    Math.min(fromParent, available(tree, usage, parentIdx, cell))
  );
}

/** Would a node use more than it and its children own, with this much more? */
export function isBeyond(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  cell: number,
  more: number,
): boolean {
  const at = node * tree.cells + cell;
  return usage[at]! + more > tree.subtree[at]!;
}

/** Does a node stay within what it and its children own, in each of these cells? */
export function isWithinOwn(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  cells: readonly number[],
): boolean {
  return cells.every((cell) => !isBeyond(tree, usage, node, cell, 0));
}

/** Is all of it free now? `borrowing` false: and without using more than the node's own. */
export function fitsNow(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  amounts: readonly CellAmount[],
  borrowing = true,
): boolean {
  return amounts.every(
    ({ cell, amount }) =>
      amount <= available(tree, usage, node, cell) &&
      (borrowing || !isBeyond(tree, usage, node, cell, amount)),
  );
}

/** Could all of it ever be free? */
export function fitsEver(tree: QuotaTree, node: number, amounts: readonly CellAmount[]): boolean {
  return amounts.every(({ cell, amount }) => amount <= tree.potential[node * tree.cells + cell]!);
}

/** Height of the smallest subtree whose own quota covers an amount, and whether that is less than the whole tree. Height 0: the queue itself. */
export interface BorrowLevel {
  readonly height: number;
  readonly belowRoot: boolean;
}

export function borrowLevel(
  tree: QuotaTree,
  usage: QuotaUsage,
  queue: number,
  cell: number,
  amount: number,
): BorrowLevel {
  let at = queue;
  let rest = amount;
  while (tree.nodes[at]!.parentIdx >= 0 && isBeyond(tree, usage, at, cell, rest)) {
    rest -= localFree(tree, usage, at, cell);
    at = tree.nodes[at]!.parentIdx;
  }
  return { height: tree.height[at]!, belowRoot: tree.nodes[at]!.parentIdx >= 0 };
}
