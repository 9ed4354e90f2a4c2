/**
 * What a job asks of Ray: as what its members are called, and where. Absent: bundles of one placement group where a gang has several members, else tasks; replicas that serve are actors. The same object
 * for jobs that ask for the same.
 */
export const RAY_KINDS = ["tasks", "actors", "placementGroup"] as const;
export type RayKind = (typeof RAY_KINDS)[number];
export const RAY_STRATEGIES = ["PACK", "SPREAD", "STRICT_PACK", "STRICT_SPREAD"] as const;
export type RayStrategy = (typeof RAY_STRATEGIES)[number];
export const RAY_SCHEDULING = ["DEFAULT", "SPREAD"] as const;
export type RayScheduling = (typeof RAY_SCHEDULING)[number];

export interface RayRequest {
  readonly kind?: RayKind | undefined;
  /** Of a placement group; absent: STRICT_SPREAD where members have nodes of their own, else PACK. */
  readonly strategy?: RayStrategy | undefined;
  /** Of tasks and actors. */
  readonly scheduling?: RayScheduling | undefined;
  /** Node affinity: the name of a node; soft: another one where it is not there or too small. */
  readonly node?: string | undefined;
  readonly soft?: boolean | undefined;
  /** Tasks are tried again so often after a system failure; −1 = for ever; absent: 3. */
  readonly maxRetries?: number | undefined;
  /** Actors, and what runs in a placement group, are started again so often; −1 = for ever; absent: 0. */
  readonly maxRestarts?: number | undefined;
}
