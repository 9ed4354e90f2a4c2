/** Fields of KAI's Queue. */
import { integer, NAME, NOT_SAID, number, text } from "../fields.ts";
import type { FieldForm, KindForm } from "../formSpec.ts";

const shareOf = (resource: string, unit: string): FieldForm[] => [
  number(`spec.resources.${resource}.quota`, `${unit}: quota`, "−1: unlimited.", "0"),
  number(
    `spec.resources.${resource}.limit`,
    `${unit}: limit`,
    "−1: none. Without the field it may use nothing.",
    "0",
  ),
  number(
    `spec.resources.${resource}.overQuotaWeight`,
    `${unit}: over-quota weight`,
    "Its part of what is left over.",
    "0",
  ),
];

const safeFrom = (key: string, from: string): FieldForm =>
  text(`spec.${key}`, `Safe from ${from} for`, "Such as 10m or 1h30m.", NOT_SAID);

export const KAI_FORMS: readonly KindForm[] = [
  {
    kind: "Queue",
    group: "scheduling.run.ai",
    fields: [
      NAME,
      text("spec.parentQueue", "Parent", "The queue above.", "none"),
      integer("spec.priority", "Priority", "Orders who gets what is left over.", "100"),
      ...shareOf("gpu", "GPUs"),
      ...shareOf("cpu", "CPUs (1/1,000)"),
      ...shareOf("memory", "Memory (MB)"),
      safeFrom("preemptMinRuntime", "preemption"),
      safeFrom("reclaimMinRuntime", "reclaim"),
    ],
  },
];
