/**
 * Two simple choices: the least loaded node first (`CR_LLN`, a partition's `LLN=YES`): most free CPUs, the lowest number of
 * equals; and jobs of one CPU at the end of the list (`pack_serial_at_end`): the highest number.
 */
import { nextSet } from "../../base/bits.ts";
import type { Trial } from "./trial.ts";
import { pick, satisfied, suffices } from "./trial.ts";

/** O(nodes × nodes picked). */
export function pickLeastLoaded(trial: Trial): boolean {
  const { nodes, map } = trial;
  while (trial.leftMaxNodes > 0 && !satisfied(trial)) {
    let best = -1;
    for (let node = nextSet(map, 0, nodes.count); node < nodes.count; ) {
      if (best < 0 || isLighter(trial, node, best)) best = node;
      node = nextSet(map, node + 1, nodes.count);
    }
    if (best < 0) break;
    pick(trial, best);
  }
  return satisfied(trial) || suffices(trial);
}

function isLighter(trial: Trial, node: number, best: number): boolean {
  const { weight } = trial.nodes;
  if (weight[node] !== weight[best]) return weight[node]! < weight[best]!;
  return trial.cpus[node]! > trial.cpus[best]!;
}

/** O(nodes). */
export function pickFromEnd(trial: Trial): boolean {
  const { nodes, map } = trial;
  for (let node = nodes.count - 1; node >= 0 && !satisfied(trial); node--) {
    if (trial.leftMaxNodes <= 0) break;
    if ((map[node >> 5]! & (1 << (node & 31))) !== 0) pick(trial, node);
  }
  return satisfied(trial) || suffices(trial);
}
