/** The parts of the document that are the Kubernetes family's: the YAML of a policy, and what a job asks for. */
import * as z from "zod/mini";
import { RAY_KINDS, RAY_SCHEDULING, RAY_STRATEGIES } from "../model/kubernetes/rayRequest.ts";
import { LIMITS } from "../model/limits.ts";
import { count, name, timeMs } from "./schemaParts.ts";

/** Several documents of YAML as text: what they say is what holds (`scenario/kubernetes/`). */
export const policyYaml = z.string().check(z.maxLength(LIMITS.configBytes));

const topology = z.strictObject({
  mode: z._default(z.enum(["required", "preferred", "unconstrained"]), "preferred"),
  /** Node label of the level. */
  level: z.optional(name),
  sliceSize: z._default(count(1, LIMITS.membersPerJob), 1),
  sliceLevel: z.optional(name),
});

/** The fields mirror `model/kubernetes/request.ts`, where each is explained. */
const kubernetesJob = z.strictObject({
  minMember: z.optional(count(1, LIMITS.membersPerJob)),
  minCount: z.optional(count(1, LIMITS.membersPerJob)),
  preemptionPolicy: z.optional(z.enum(["PreemptLowerPriority", "Never"])),
  terminationGraceMs: z.optional(timeMs),
  safeToEvict: z.optional(z.boolean()),
  labels: z.optional(z.record(name, name)),
  topology: z.optional(topology),
});

/** −1 = for ever. */
const retries = z.int().check(z.gte(-1), z.lte(1_000_000));

/** The fields mirror `model/kubernetes/rayRequest.ts`, where each is explained. */
const rayJob = z.strictObject({
  kind: z.optional(z.enum(RAY_KINDS)),
  strategy: z.optional(z.enum(RAY_STRATEGIES)),
  scheduling: z.optional(z.enum(RAY_SCHEDULING)),
  node: z.optional(name),
  soft: z.optional(z.boolean()),
  maxRetries: z.optional(retries),
  maxRestarts: z.optional(retries),
});

export const familyFields = {
  /** What a job asks of the Kubernetes family beyond its shape. */
  kubernetes: z.optional(kubernetesJob),
  /** What its members are to Ray. */
  ray: z.optional(rayJob),
};
