/**
 * A tree of switches over the nodes of a table: leaves with nodes, switches above with switches (topology.conf(5)). Each switch
 * knows the nodes below it as a bit set.
 */
import { setBits, wordsFor } from "../../base/bits.ts";

export interface SwitchTree {
  readonly count: number;
  readonly names: readonly string[];
  /** 0 = a leaf. */
  readonly level: Int32Array;
  /** Switch above; −1 at a top. */
  readonly parent: Int32Array;
  /** Nodes below, as bit sets. */
  readonly nodes: readonly Int32Array[];
  readonly leaves: readonly number[];
}

export interface SwitchLine {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly switches: readonly string[];
}

/** Reads the tree; names that nobody has are left out. O(switches × (depth + nodes)). */
export function switchTree(
  lines: readonly SwitchLine[],
  indexOf: ReadonlyMap<string, number>,
  nodeCount: number,
): SwitchTree {
  const bySwitch = new Map(lines.map((line, index) => [line.name, index]));
  const children = lines.map((line) =>
    line.switches.flatMap((name) => {
      const below = bySwitch.get(name);
      return below === undefined ? [] : [below];
    }),
  );
  const parent = new Int32Array(lines.length).fill(-1);
  children.forEach((below, index) => {
    for (const child of below) if (child !== index && parent[child] === -1) parent[child] = index;
  });
  const level = new Int32Array(lines.length);
  const nodes = lines.map((line) => ownNodes(line, indexOf, nodeCount));
  // Levels and nodes rise from the leaves; a ring in the file ends the walk after as many steps as there are switches.
  for (let index = 0; index < lines.length; index++) {
    if (children[index]!.length > 0) continue;
    let height = 1;
    for (let up = parent[index]!; up >= 0 && height <= lines.length; up = parent[up]!) {
      level[up] = Math.max(level[up]!, height++);
      const into = nodes[up]!;
      nodes[index]!.forEach((word, at) => {
        into[at] = into[at]! | word;
      });
    }
  }
  return {
    count: lines.length,
    names: lines.map((line) => line.name),
    level,
    parent,
    nodes,
    leaves: lines.flatMap((_, index) => (level[index] === 0 ? [index] : [])),
  };
}

function ownNodes(
  line: SwitchLine,
  indexOf: ReadonlyMap<string, number>,
  nodeCount: number,
): Int32Array {
  const set = new Int32Array(wordsFor(nodeCount));
  for (const name of line.nodes) {
    const node = indexOf.get(name);
    if (node !== undefined) setBits(set, node, node + 1);
  }
  return set;
}
