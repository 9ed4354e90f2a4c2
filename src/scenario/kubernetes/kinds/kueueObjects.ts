/** The smaller kinds of Kueue: Cohort, LocalQueue, ResourceFlavor, Topology, WorkloadPriorityClass. Taints of a flavor and AdmissionChecks are not modelled. Source: `apis/kueue/v1beta2`. */
import * as z from "zod/mini";
import { head, ignored, kindReader, labels, objectName } from "./kindReader.ts";
import {
  fairSharing,
  groupsOf,
  KUEUE_GROUP,
  resourceGroups,
  stopPolicy,
  weightOf,
} from "./kueueQuota.ts";

const parentName = z.optional(z.nullable(z.string().check(z.maxLength(253))));

export const cohort = kindReader(
  "Cohort",
  KUEUE_GROUP,
  z.strictObject({
    ...head,
    spec: z.optional(
      z.strictObject({
        parentName,
        /** Its name in v1alpha1. */
        parent: parentName,
        resourceGroups,
        fairSharing,
      }),
    ),
  }),
  ({ metadata, spec }) => ({
    kind: "Cohort",
    name: metadata.name,
    namespace: "",
    parent: spec?.parentName || spec?.parent || null,
    weight: weightOf(spec?.fairSharing),
    groups: groupsOf(spec?.resourceGroups ?? []),
  }),
);

export const localQueue = kindReader(
  "LocalQueue",
  KUEUE_GROUP,
  z.strictObject({
    ...head,
    spec: z.strictObject({ clusterQueue: objectName, fairSharing, stopPolicy }),
  }),
  ({ metadata, spec }) => ({
    kind: "LocalQueue",
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    clusterQueue: spec.clusterQueue,
    weight: weightOf(spec.fairSharing),
    stop: spec.stopPolicy,
  }),
);

export const resourceFlavor = kindReader(
  "ResourceFlavor",
  KUEUE_GROUP,
  z.strictObject({
    ...head,
    spec: z.optional(
      z.nullable(
        z.strictObject({
          nodeLabels: z._default(labels, {}),
          nodeTaints: ignored,
          tolerations: ignored,
          topologyName: z.optional(z.nullable(objectName)),
        }),
      ),
    ),
  }),
  ({ metadata, spec }) => ({
    kind: "ResourceFlavor",
    name: metadata.name,
    namespace: "",
    nodeLabels: spec?.nodeLabels ?? {},
    topology: spec?.topologyName ?? null,
  }),
);

export const topology = kindReader(
  "Topology",
  KUEUE_GROUP,
  z.strictObject({
    ...head,
    spec: z.strictObject({
      levels: z
        .array(z.strictObject({ nodeLabel: z.string().check(z.minLength(1), z.maxLength(317)) }))
        .check(z.minLength(1), z.maxLength(16)),
    }),
  }),
  ({ metadata, spec }) => ({
    kind: "Topology",
    name: metadata.name,
    namespace: "",
    levels: spec.levels.map(({ nodeLabel }) => nodeLabel),
  }),
);

export const workloadPriorityClass = kindReader(
  "WorkloadPriorityClass",
  KUEUE_GROUP,
  z.strictObject({
    apiVersion: head.apiVersion,
    kind: head.kind,
    metadata: head.metadata,
    value: z.int().check(z.gte(-2_147_483_648), z.lte(2_147_483_647)),
    description: ignored,
  }),
  ({ metadata, value }) => ({
    kind: "WorkloadPriorityClass",
    name: metadata.name,
    namespace: "",
    value,
  }),
);
