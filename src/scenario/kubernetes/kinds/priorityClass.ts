/** PriorityClass (scheduling.k8s.io): the number of a priority by its name, and whether it evicts. */
import * as z from "zod/mini";
import { head, ignored, kindReader } from "./kindReader.ts";

const schema = z.strictObject({
  ...head,
  value: z.int().check(z.gte(-2_147_483_648), z.lte(1_000_000_000)),
  preemptionPolicy: z._default(z.enum(["PreemptLowerPriority", "Never"]), "PreemptLowerPriority"),
  globalDefault: z._default(z.boolean(), false),
  description: ignored,
});

export const priorityClass = kindReader("PriorityClass", "scheduling.k8s.io", schema, (value) => ({
  kind: "PriorityClass",
  name: value.metadata.name,
  namespace: "",
  value: value.value,
  preemptionPolicy: value.preemptionPolicy,
  globalDefault: value.globalDefault,
}));
