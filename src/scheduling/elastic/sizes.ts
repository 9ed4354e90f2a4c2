/**
 * Which number of members an elastic job may have: always one of its allowed sizes, the largest for which there is room. Sizes are tried from
 * above, by halving where room for more means room for fewer; O(log sizes) trials.
 *
 * Source: elastic training as in DeepSpeed, TorchElastic and Horovod, where somebody else starts and stops workers; growing into idle devices and giving
 * them back when work waits is what Pollux (Qiao et al., OSDI 2021) and KubeDL do in kind. Pathology: without a least time between changes, a
 * stream of small jobs makes an elastic job form its group again and again.
 */
import type { Elastic } from "../../model/lab/jobLife.ts";

/** The largest allowed size above `from` and up to `most` that fits; 0 = none. `fits` must hold for every smaller size where it holds for one. */
export function largestSize(
  elastic: Elastic,
  from: number,
  most: number,
  fits: (members: number) => boolean,
): number {
  const sizes = elastic.allowed;
  let low = sizes.findIndex((size) => size > from);
  if (low < 0) return 0;
  let high = sizes.length;
  while (high > low && sizes[high - 1]! > most) high--;
  let best = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(sizes[middle]!)) {
      best = sizes[middle]!;
      low = middle + 1;
    } else high = middle;
  }
  return best;
}

/** A running elastic job that has more members than it asked for. */
export interface Grown {
  readonly jobIdx: number;
  readonly members: number;
  /** Members as asked for, and devices of each. */
  readonly asked: number;
  readonly gpus: number;
  readonly elastic: Elastic;
}

/**
 * Who gives back how many members so that `missing` devices get free: the job that grew last in the list first, each only as far as it needs to, to an
 * allowed size not below what it asked for. Empty where all of it would not be enough. O(jobs × sizes).
 */
export function givers(
  grown: readonly Grown[],
  missing: number,
): readonly { readonly jobIdx: number; readonly members: number }[] {
  const list: { jobIdx: number; members: number }[] = [];
  let left = missing;
  for (let i = grown.length - 1; i >= 0 && left > 0; i--) {
    const { jobIdx, members, asked, gpus, elastic } = grown[i]!;
    const wanted = Math.ceil(left / gpus);
    const sizes = elastic.allowed.filter((size) => size >= asked && size < members);
    const size = sizes.findLast((one) => members - one >= wanted) ?? sizes[0];
    if (size === undefined) continue;
    list.push({ jobIdx, members: members - size });
    left -= (members - size) * gpus;
  }
  return left > 0 ? [] : list;
}
