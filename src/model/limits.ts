/** The largest scenario that is accepted, checked at the door with an error that names the limit. */
export const LIMITS = {
  jobs: 2_000_000,
  nodes: 16_384,
  devices: 65_536,
  devicesPerNode: 65_535,
  membersPerJob: 65_535,
  /** A log may ask for more than any machine has; what it asked for is kept up to here (32 signed bits). */
  devicesAsked: 2_147_483_647,
  /** Between single jobs: two arrays that depend on each other multiply. */
  dependencies: 2_000_000,
  tiers: 12,
  teams: 4_096,
  /** Different GPU models that jobs ask for by name, and different MIG profiles: an index of 8 bits, of which 0 says none. */
  namesAsked: 255,
  /** Of a trace; a job's queue is a number of 16 bits, and the scenario may name some more. */
  traceQueues: 32_768,
  pools: 32,
  interventions: 10_000,
  /** Random failures of a run, each node or device counted by itself. */
  outages: 200_000,
  /** Saves of one job. */
  checkpointsPerJob: 100_000,
  /** Steps of a service's demand. */
  demandSteps: 100_000,
  nameLength: 200,
  /** Of one configuration file within a document. */
  configBytes: 512 * 1024,
  documentBytes: 8 * 1024 * 1024,
  linkBytes: 64 * 1024,
  traceBytes: 256 * 1024 * 1024,
  /** Four years: progress in 1/65,536 ms then stays below 2^53. */
  workMs: 4 * 366 * 86_400_000,
  /** 40 years: past this the run is refused rather than trusted. */
  horizonMs: 40 * 366 * 86_400_000,
} as const;
