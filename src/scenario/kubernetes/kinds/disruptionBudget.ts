/** PodDisruptionBudget (policy): how many of the pods that it selects may be gone at a time. */
import * as z from "zod/mini";
import type { IntOrPercent } from "../../../model/kubernetes/config.ts";
import { head, ignored, kindReader, labels } from "./kindReader.ts";

const amount = z.union([
  z.int().check(z.gte(0), z.lte(1_000_000)),
  z.string().check(z.regex(/^\d{1,3}%$/)),
]);

const schema = z.strictObject({
  ...head,
  spec: z.strictObject({
    minAvailable: z.optional(amount),
    maxUnavailable: z.optional(amount),
    selector: z.optional(z.strictObject({ matchLabels: z._default(labels, {}) })),
    unhealthyPodEvictionPolicy: ignored,
  }),
});

const amountOf = (given: number | string | undefined): IntOrPercent | null =>
  given === undefined
    ? null
    : { amount: Number.parseInt(String(given), 10), percent: typeof given === "string" };

export const disruptionBudget = kindReader(
  "PodDisruptionBudget",
  "policy",
  schema,
  ({ metadata, spec }) => ({
    kind: "PodDisruptionBudget",
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    minAvailable: amountOf(spec.minAvailable),
    maxUnavailable: amountOf(spec.maxUnavailable),
    matchLabels: spec.selector?.matchLabels ?? null,
  }),
);
