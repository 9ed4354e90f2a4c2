/**
 * Room by whole nodes: a node is cleared of everything that runs on it, or left alone. Nodes with the fewest jobs go first, then those whose jobs come
 * first in the order of victims, then the lower index; nodes that turn out not to be needed are spared, the last first. A job on several nodes counts
 * on each, and goes once. Nodes on which somebody may not be stopped are out. O(nodes × jobs on them) trials.
 */
import type { NodeVictims } from "./fewestVictims.ts";
import type { RoomTrial } from "./greedyVictims.ts";

export interface NodeTrial extends RoomTrial {
  /** Whether nothing runs on the node now. */
  isEmpty(node: number): boolean;
}

/** The victims, taken out of the trial; null where all nodes that can be cleared are not enough. */
export function nodeVictims(nodes: readonly NodeVictims[], trial: NodeTrial): number[] | null {
  const inOrder = nodes
    .filter((candidate) => canBeCleared(candidate, trial))
    .sort((one, other) => one.victims.length - other.victims.length || lastOf(one) - lastOf(other));
  const cleared: NodeVictims[] = [];
  const users = new Map<number, number>();
  for (const candidate of inOrder) {
    if (trial.fits()) break;
    if (clear(candidate, users, trial)) cleared.push(candidate);
  }
  if (!trial.fits()) {
    for (const victim of users.keys()) trial.restore(victim);
    return null;
  }
  for (const candidate of cleared.reverse()) {
    unclear(candidate, users, trial);
    if (!trial.fits()) clear(candidate, users, trial);
  }
  return [...users.keys()].sort((one, other) => one - other);
}

/** Where the node's jobs stand in the order of victims: the last of them. */
function lastOf({ victims }: NodeVictims): number {
  return Math.max(...victims);
}

function canBeCleared({ node, victims }: NodeVictims, trial: NodeTrial): boolean {
  const removed = victims.filter((victim) => trial.remove(victim));
  const isEmpty = removed.length === victims.length && trial.isEmpty(node);
  for (const victim of removed) trial.restore(victim);
  return isEmpty;
}

/** Removes the node's victims; `users` counts for how many cleared nodes each is gone. False, and nothing done, where one may not go. */
function clear({ victims }: NodeVictims, users: Map<number, number>, trial: NodeTrial): boolean {
  const removed: number[] = [];
  for (const victim of victims) {
    if (users.has(victim)) continue;
    if (!trial.remove(victim)) {
      for (const other of removed) trial.restore(other);
      return false;
    }
    removed.push(victim);
  }
  for (const victim of victims) users.set(victim, (users.get(victim) ?? 0) + 1);
  return true;
}

function unclear({ victims }: NodeVictims, users: Map<number, number>, trial: NodeTrial): void {
  for (const victim of victims) {
    const left = users.get(victim)! - 1;
    if (left > 0) users.set(victim, left);
    else {
      users.delete(victim);
      trial.restore(victim);
    }
  }
}
