/**
 * Fewest leaves for a job, and of these choices the one that leaves least over in the leaves it touches: a small subset-sum problem. Leaves
 * of equal room are alike, so the search goes over distinct rooms, largest first, and is cut where the rest cannot reach; after a
 * fixed number of steps the best choice so far stands (more than a handful of leaves of many different rooms). Ties: larger leaves, then lower
 * numbers. Reported as "uneven leaf groups" by users of topology-aware schedulers.
 */
const MOST_STEPS = 20_000;

/** Domains in the order in which they are to be filled; empty where all together do not hold so many. */
export function fewestSets(room: Float64Array, count: number, wanted: number): number[] {
  const byRoom = Array.from({ length: count }, (_, domain) => domain)
    .filter((domain) => room[domain]! > 0)
    .sort((a, b) => room[b]! - room[a]! || a - b);
  let sum = 0;
  let size = 0;
  while (sum < wanted && size < byRoom.length) sum += room[byRoom[size++]!]!;
  if (sum < wanted) return [];
  let best = byRoom.slice(0, size);
  let bestSum = sum;
  let steps = 0;
  const picked: number[] = [];
  // `from`: the next place in the list; equal rooms are skipped once one of them has been passed over.
  const search = (from: number, left: number, reached: number): void => {
    if (left === 0) {
      if (reached < wanted || reached >= bestSum) return;
      best = picked.slice();
      bestSum = reached;
      return;
    }
    let passed = -1;
    for (let at = from; at + left <= byRoom.length && bestSum > wanted; at++) {
      const own = room[byRoom[at]!]!;
      if (own === passed) continue;
      if (reached + own * left < wanted || ++steps > MOST_STEPS) return;
      picked.push(byRoom[at]!);
      search(at + 1, left - 1, reached + own);
      picked.pop();
      passed = own;
    }
  };
  search(0, size, 0);
  return best;
}
