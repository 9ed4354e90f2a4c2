/**
 * KubeRay's RayCluster (`ray.io/v1`): worker groups and how they grow. Pod templates are read for their node selector and the resources of their Ray container; the rest of them means
 * nothing here. The head stands beside the pool's nodes. Source: ray-project/kuberay `ray-operator/apis/ray/v1/raycluster_types.go`, `controllers/ray/common/pod.go`.
 */
import * as z from "zod/mini";
import { UPSCALING_MODES } from "../../../model/kubernetes/rayConfig.ts";
import { LIMITS } from "../../../model/limits.ts";
import { amountOf } from "../quantity.ts";
import { head, ignored, kindReader, labels, objectName } from "./kindReader.ts";

const replicas = z.int().check(z.gte(0), z.lte(LIMITS.nodes));
const seconds = z.optional(z.int().check(z.gte(0), z.lte(31_536_000)));
const quantity = z
  .union([z.number(), z.string().check(z.maxLength(40))])
  .check(z.refine((value) => amountOf("pieces", value) !== null, "is no quantity"));
const amounts = z.optional(z.record(z.string().check(z.maxLength(253)), quantity));

/** What a worker's container asks for; GPUs and CPUs of it become the worker's logical resources. */
const container = z.looseObject({
  resources: z.optional(z.looseObject({ limits: amounts, requests: amounts })),
});
const template = z.optional(
  z.looseObject({
    spec: z.optional(
      z.looseObject({
        nodeSelector: z._default(labels, {}),
        containers: z._default(z.array(container).check(z.maxLength(64)), []),
      }),
    ),
  }),
);
/** Parameters of `ray start`: all of them are text. */
const rayStartParams = z._default(
  z.record(
    z.string().check(z.maxLength(253)),
    z.union([z.string().check(z.maxLength(10_000)), z.number(), z.boolean()]),
  ),
  {},
);

const workerGroup = z.strictObject({
  groupName: objectName,
  replicas: z.optional(replicas),
  minReplicas: z._default(replicas, 0),
  maxReplicas: z._default(replicas, LIMITS.nodes),
  numOfHosts: ignored,
  idleTimeoutSeconds: seconds,
  resources: ignored,
  labels: ignored,
  rayStartParams,
  template,
  scaleStrategy: ignored,
  suspend: ignored,
});
type WorkerGroup = z.output<typeof workerGroup>;

const schema = z.strictObject({
  ...head,
  spec: z.strictObject({
    rayVersion: ignored,
    enableInTreeAutoscaling: z._default(z.boolean(), false),
    autoscalerOptions: z.optional(
      z.looseObject({
        upscalingMode: z.optional(z.enum(UPSCALING_MODES)),
        idleTimeoutSeconds: seconds,
      }),
    ),
    headGroupSpec: z.optional(z.looseObject({ rayStartParams, template })),
    workerGroupSpecs: z._default(
      z.array(workerGroup).check(
        z.maxLength(256),
        z.refine(
          (groups) => new Set(groups.map(({ groupName }) => groupName)).size === groups.length,
          "two worker groups have the same groupName",
        ),
      ),
      [],
    ),
    suspend: ignored,
    managedBy: ignored,
    headServiceAnnotations: ignored,
    gcsFaultToleranceOptions: ignored,
    authOptions: ignored,
    networkPolicy: ignored,
  }),
});

export const rayCluster = kindReader("RayCluster", "ray.io", schema, ({ metadata, spec }) => ({
  kind: "RayCluster",
  name: metadata.name,
  namespace: metadata.namespace ?? "",
  autoscaling: spec.enableInTreeAutoscaling,
  upscalingMode: spec.autoscalerOptions?.upscalingMode ?? null,
  idleTimeoutMs: millis(spec.autoscalerOptions?.idleTimeoutSeconds),
  groups: spec.workerGroupSpecs.map((group) => ({
    name: group.groupName,
    replicas: Math.max(group.replicas ?? group.minReplicas, group.minReplicas),
    minReplicas: group.minReplicas,
    maxReplicas: Math.max(group.maxReplicas, group.minReplicas),
    idleTimeoutMs: millis(group.idleTimeoutSeconds),
    cpuMilli: logical(group, "num-cpus", "cpu"),
    gpus: logical(group, "num-gpus", "/gpu"),
    nodeSelector: group.template?.spec?.nodeSelector ?? {},
  })),
}));

const millis = (given: number | undefined): number | null =>
  given === undefined ? null : given * 1_000;

/** `rayStartParams` go before limits, limits before requests, of the first container: the one that Ray runs in. */
function logical(group: WorkerGroup, parameter: string, resource: string): number | null {
  const isCpu = resource === "cpu";
  const said = group.rayStartParams[parameter];
  if (said !== undefined) return amountOf(isCpu ? "cpu" : "pieces", String(said));
  const { limits = {}, requests = {} } = group.template?.spec?.containers[0]?.resources ?? {};
  for (const given of [limits, requests]) {
    const found = Object.entries(given).find(([name]) =>
      isCpu ? name === resource : name.endsWith(resource),
    );
    if (found) return amountOf(isCpu ? "cpu" : "pieces", found[1]);
  }
  return null;
}
