/**
 * Errors of estimates that belong to jobs: job k has the k-th draw of one stream, so that another policy, another load or an injected job (which
 * stands at the end of the table) meets the same errors. Kept by job table, not in any snapshot: they follow from seed and table.
 */
import lognormalQuantile from "@stdlib/stats-base-dists-lognormal-quantile";
import { randomStream } from "../../base/random.ts";
import type { JobTable } from "../../model/jobs.ts";

const drawn = new WeakMap<JobTable, Map<string, Float64Array>>();

/** By job: a log-normal factor with median 1 and this standard deviation of its logarithm. O(jobs) the first time. */
export function errorFactors(jobs: JobTable, seed: number, sigma: number): Float64Array {
  let known = drawn.get(jobs);
  if (known === undefined) {
    known = new Map();
    drawn.set(jobs, known);
  }
  const name = `${seed}/${sigma}`;
  let factors = known.get(name);
  if (factors === undefined) {
    const stream = randomStream(seed, "estimates", "all");
    const quantile = sigma > 0 ? lognormalQuantile.factory(0, sigma) : () => 1;
    // A draw of exactly 0 would be a factor of 0.
    factors = Float64Array.from({ length: jobs.count }, () =>
      quantile(Math.max(stream(), 2 ** -53)),
    );
    known.set(name, factors);
  }
  return factors;
}
