/**
 * What follows from gauges, as they arrive: demand served within a service's latency target, time means of fragmentation, credits paid. A gauge
 * holds its value until its next row. O(rows) a chunk; memory O(subjects).
 */
import { GaugeCode } from "../model/lab/gauges.ts";
import type { ServiceInfo } from "../model/lab/services.ts";
import type { Chunk } from "../record/shapes.ts";

export type MeasuredService = Pick<ServiceInfo, "id" | "targetMs">;

/** A service as its gauges say. */
interface Served {
  sinceMs: number;
  perSec: number;
  latencyMs: number;
  /** Requests in 1/1,000: demand × time. */
  demand: number;
  met: number;
}

interface Mean {
  readonly fromMs: number;
  sinceMs: number;
  value: number;
  sum: number;
}

export class GaugeSums {
  /** Credits paid by team, as far as its budget shows them. */
  readonly paid = new Map<number, number>();
  readonly #services: readonly MeasuredService[];
  readonly #served: Served[];
  readonly #fragmentation = new Map<number, Mean>();
  readonly #credits = new Map<number, number>();

  constructor(services: readonly MeasuredService[]) {
    this.#services = services;
    this.#served = services.map(() => ({
      sinceMs: 0,
      perSec: 0,
      latencyMs: Number.POSITIVE_INFINITY,
      demand: 0,
      met: 0,
    }));
  }

  add({ atMs, kind, subject, value }: Chunk["gauges"]): void {
    for (let row = 0; row < kind.length; row++) {
      const of = subject[row]!;
      const now = value[row]!;
      switch (kind[row]) {
        case GaugeCode.demand:
          this.#serve(of, atMs[row]!, { perSec: now });
          break;
        case GaugeCode.latency:
          this.#serve(of, atMs[row]!, { latencyMs: now });
          break;
        case GaugeCode.fragmentation:
          this.#fragmented(of, atMs[row]!, now);
          break;
        case GaugeCode.credits:
          this.#pay(of, now);
          break;
      }
    }
  }

  /** Part of each service's requests that came while its latency was within the target; null where none came. O(services). */
  attainment(endMs: number): Record<string, number | null> {
    return Object.fromEntries(
      this.#services.map(({ id }, index) => {
        this.#serve(index, endMs, {});
        const { demand, met } = this.#served[index]!;
        return [id, demand > 0 ? met / demand : null];
      }),
    );
  }

  /** Mean over time of each pool, mean of the pools; null without the gauge. O(pools). */
  fragmentation(endMs: number): number | null {
    const means: number[] = [];
    for (const [pool, mean] of this.#fragmentation) {
      this.#fragmented(pool, endMs, mean.value);
      if (endMs > mean.fromMs) means.push(mean.sum / (endMs - mean.fromMs));
    }
    return means.length === 0 ? null : means.reduce((sum, each) => sum + each, 0) / means.length;
  }

  #serve(service: number, atMs: number, change: { perSec?: number; latencyMs?: number }): void {
    const served = this.#served[service];
    if (served === undefined) return;
    const requests = served.perSec * Math.max(0, atMs - served.sinceMs);
    served.demand += requests;
    if (served.latencyMs <= this.#services[service]!.targetMs) served.met += requests;
    served.sinceMs = Math.max(served.sinceMs, atMs);
    Object.assign(served, change);
  }

  #fragmented(pool: number, atMs: number, value: number): void {
    const known = this.#fragmentation.get(pool);
    if (known === undefined) {
      this.#fragmentation.set(pool, { fromMs: atMs, sinceMs: atMs, value, sum: 0 });
      return;
    }
    known.sum += known.value * Math.max(0, atMs - known.sinceMs);
    known.sinceMs = Math.max(known.sinceMs, atMs);
    known.value = value;
  }

  /** What is left falls by payments and rises by refills. */
  #pay(team: number, left: number): void {
    const before = this.#credits.get(team) ?? left;
    this.#credits.set(team, left);
    this.paid.set(team, (this.paid.get(team) ?? 0) + Math.max(0, before - left));
  }
}
