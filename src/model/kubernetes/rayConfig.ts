/** KubeRay's RayCluster (`ray.io/v1`), cut down to what the preset reads. CPUs in 1/1,000, GPUs in pieces; null = not said. */
import type { ObjectName } from "./config.ts";

export const UPSCALING_MODES = ["Default", "Aggressive", "Conservative"] as const;
export type UpscalingMode = (typeof UPSCALING_MODES)[number];

export interface RayCluster extends ObjectName {
  readonly kind: "RayCluster";
  readonly autoscaling: boolean;
  readonly upscalingMode: UpscalingMode | null;
  readonly idleTimeoutMs: number | null;
  readonly groups: readonly RayWorkerGroup[];
}

/** Workers of one kind, each on a node of its own. */
export interface RayWorkerGroup {
  readonly name: string;
  readonly replicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly idleTimeoutMs: number | null;
  /** Logical resources of a worker where they are not what its node has. */
  readonly cpuMilli: number | null;
  readonly gpus: number | null;
  readonly nodeSelector: Readonly<Record<string, string>>;
}
