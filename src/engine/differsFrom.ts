/**
 * From when on a run of a world may not go on from what was kept of a run of another: from the edit that makes them differ; from the start where the other names
 * other queues, for schedulers number what they keep by the queues that there are as they begin. O(queues).
 */
import type { World } from "../model/world.ts";

export function differsFromMs({ queues }: World, other: World, editMs: number): number {
  const same =
    queues.length === other.queues.length &&
    queues.every((name, idx) => name === other.queues[idx]);
  return same ? editMs : 0;
}
