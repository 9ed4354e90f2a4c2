/**
 * KAI's Queue (`scheduling.run.ai`). CPUs in 1/1,000 and memory in megabytes, as its fields have them; durations as Go writes them ("10m", "1h30m").
 * Source: kai-scheduler/KAI-Scheduler `pkg/apis/scheduling/v2`, `docs/queues`.
 */
import * as z from "zod/mini";
import { head, ignored, kindReader } from "./kindReader.ts";

const amount = z.number().check(z.gte(-1), z.lte(1e12));
const resource = z.strictObject({
  quota: z._default(amount, 0),
  limit: z._default(amount, 0),
  overQuotaWeight: z._default(z.number().check(z.gte(0), z.lte(1e9)), 0),
});
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const duration = z.optional(z.string().check(z.maxLength(40), z.regex(DURATION)));
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function durationMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    ms += Number(count) * UNITS_MS[unit!]!;
  return Math.round(ms);
}

type Resource = z.output<typeof resource>;
const NOTHING: Resource = { quota: 0, limit: 0, overQuotaWeight: 0 };
const MIB_OF_MEGABYTE = 1e6 / 2 ** 20;

const schema = z.strictObject({
  ...head,
  spec: z.strictObject({
    displayName: ignored,
    parentQueue: z._default(z.string().check(z.maxLength(253)), ""),
    priority: z._default(z.int(), 100),
    preemptMinRuntime: duration,
    reclaimMinRuntime: duration,
    resources: z.optional(
      z.strictObject({
        gpu: z.optional(resource),
        cpu: z.optional(resource),
        memory: z.optional(resource),
      }),
    ),
  }),
});

export const kaiQueue = kindReader("Queue", "scheduling.run.ai", schema, ({ metadata, spec }) => {
  const { gpu = NOTHING, cpu = NOTHING, memory = NOTHING } = spec.resources ?? {};
  const mib = (megabytes: number) => (megabytes < 0 ? -1 : megabytes * MIB_OF_MEGABYTE);
  return {
    kind: "KaiQueue",
    name: metadata.name,
    namespace: "",
    parent: spec.parentQueue,
    priority: spec.priority,
    quota: [gpu.quota, cpu.quota, mib(memory.quota)],
    limit: [gpu.limit, cpu.limit, mib(memory.limit)],
    overQuotaWeight: [gpu.overQuotaWeight, cpu.overQuotaWeight, memory.overQuotaWeight],
    preemptMinRuntimeMs: durationMs(spec.preemptMinRuntime),
    reclaimMinRuntimeMs: durationMs(spec.reclaimMinRuntime),
  };
});
