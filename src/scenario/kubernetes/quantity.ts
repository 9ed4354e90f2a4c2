/** Amounts as Kubernetes writes them: `500m`, `1.5`, `64Gi`, `2e3`. Source: kubernetes/apimachinery `pkg/api/resource/quantity.go`. */

const FACTORS: Readonly<Record<string, number>> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The amount in units; null where the text is no quantity. O(text). */
export function quantityOf(given: string | number): number | null {
  if (typeof given === "number") return Number.isFinite(given) ? given : null;
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)([numkMGTPE]|[KMGTPE]i)?$/.exec(
    given.trim(),
  );
  if (!found) return null;
  const amount = Number(found[1]) * FACTORS[found[2] ?? ""]!;
  return Number.isFinite(amount) ? amount : null;
}

/** As `model/kubernetes/config.ts` counts it: CPUs in 1/1,000, memory in MiB, everything else in units; rounded up like upstream rounds. */
export function amountOf(resource: string, given: string | number): number | null {
  const units = quantityOf(given);
  if (units === null) return null;
  if (resource === "cpu") return Math.ceil(units * 1_000);
  if (resource === "memory" || resource === "ephemeral-storage") return Math.ceil(units / 2 ** 20);
  return Math.ceil(units);
}
