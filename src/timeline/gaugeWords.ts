/** Gauges in words: what one measures, whose it is, and a value with its unit. Lane and table of gauges speak through this file. */
import { durationText, NBSP, numberText } from "../base/format.ts";
import type { Gauge } from "../model/lab/gauges.ts";
import type { Stage } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";

/** A value with its unit. */
export function gaugeText(gauge: Gauge, value: number): string {
  if (Number.isNaN(value)) return "–";
  if (value === Number.POSITIVE_INFINITY) return "without end";
  switch (gauge) {
    case "latency":
      return durationText(value);
    case "uplink":
    case "fragmentation":
      return `${numberText(value * 100)}${NBSP}%`;
    case "demand":
      return `${numberText(value, 1)}/s`;
    case "price":
      return numberText(value, 2);
    case "credits":
    case "borrowed":
    case "lent":
      return numberText(value, Number.isInteger(value) ? 0 : 1);
    default:
      // A mean of counts has a part after the point.
      return numberText(value, Number.isInteger(value) ? 0 : 1);
  }
}

/** What a gauge measures, for a table: "GPUs borrowed". */
export function gaugeName(gauge: Gauge, deviceWord: string): string {
  const names: Readonly<Record<Gauge, string>> = {
    borrowed: `${deviceWord}s borrowed`,
    lent: `${deviceWord}s lent`,
    price: `price of a ${deviceWord}-hour, credits`,
    credits: "credits left",
    demand: "requests a second",
    replicasWanted: "replicas wanted",
    replicasServing: "replicas serving",
    latency: "latency",
    poolNodes: "nodes open",
    uplink: "load of the uplinks",
    writers: "jobs that write a checkpoint",
    fragmentation: "free but of no use",
    promisesKept: "promised starts kept",
    promisesBroken: "promised starts broken",
    quotaNominal: "quota owned",
    quotaUsed: "quota used",
    quotaBorrowed: "quota borrowed",
    quotaLent: "quota lent",
  };
  return names[gauge];
}

/** Whose gauge it is: "team research", "service chat", "leaf L2"; empty for the whole cluster. */
export function subjectName(
  gauge: Gauge,
  subject: number,
  stage: Stage,
  scenario: Scenario | null,
): string {
  switch (gauge) {
    case "borrowed":
    case "lent":
    case "credits":
      return `team ${stage.teams[subject]?.name ?? subject + 1}`;
    case "demand":
    case "replicasWanted":
    case "replicasServing":
    case "latency":
      return `service ${serviceOf(scenario, subject)?.id ?? subject + 1}`;
    case "uplink":
      return stage.cluster.leafNames[subject] ?? `leaf ${subject + 1}`;
    case "writers":
      return "";
    case "quotaNominal":
    case "quotaUsed":
    case "quotaBorrowed":
    case "quotaLent":
      return cellName(stage, subject);
    default:
      return stage.poolIds.length > 1 ? `pool ${stage.poolIds[subject] ?? subject + 1}` : "";
  }
}

/** "team-a: nvidia.com/gpu of h100", with its pool where there are several. */
function cellName({ quotaCells, poolIds }: Stage, subject: number): string {
  const cell = quotaCells?.[subject];
  if (!cell) return `quota ${subject + 1}`;
  const pool = poolIds.length > 1 ? ` in ${poolIds[cell.pool] ?? cell.pool + 1}` : "";
  const flavor = cell.flavor === "" ? "" : ` of ${cell.flavor}`;
  return `${cell.queue}: ${resourceWord(cell.resource)}${flavor}${pool}`;
}

/** A resource with the unit that its amounts are told in. */
export function resourceWord(resource: string): string {
  return resource === "memory" ? "memory (GiB)" : resource === "cpu" ? "CPUs" : resource;
}

/** What gauges of quota leave out in this run; "" = nothing. Volcano and KAI have cells without flavor. */
export function quotaGaps({ quotaCells = [] }: Pick<Stage, "quotaCells">): string {
  return quotaCells.some(({ flavor }) => flavor === "")
    ? "quotas: of queues that the YAML names, and of their resources GPUs"
    : "";
}

/** The document of a service. */
export function serviceOf(scenario: Scenario | null, subject: number) {
  return scenario?.services[subject];
}
