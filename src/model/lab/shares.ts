/** What the lab says of who uses how much, and of one job: numbers only, for the page's tables. */

/** One team, user or tier at one time. GPUs unless said otherwise; NaN = does not apply. */
export interface ShareRow {
  readonly per: "team" | "user" | "tier";
  readonly index: number;
  readonly gpusHeld: number;
  readonly gpusWaited: number;
  /** Entitlement (quota, guarantee or share of the pool). */
  readonly gpusDue: number;
  readonly gpusBorrowed: number;
  readonly gpusLent: number;
  /** Decayed usage, GPU-hours. */
  readonly usageGpuHours: number;
  /** What orders it: fair-share factor, dominant share, …; larger goes first. */
  readonly factor: number;
  /** Auction credits left. */
  readonly credits: number;
}

/** What the lab knows of one job beside why it waits. NaN = does not apply. */
export interface LabJobFacts {
  /** Place in the queue, 1 = first; 0 = does not wait. */
  readonly position: number;
  readonly waitingCount: number;
  /** The number its order goes by, and the order's name. */
  readonly priority: number;
  /** End that the scheduler plans with (ms), by its knowledge of run times. */
  readonly estimatedEndMs: number;
  /** Start promised first, and now; `Infinity` = none. */
  readonly firstPromiseMs: number;
  readonly promiseMs: number;
  readonly evictions: number;
  /** What its priority is made of, under orders that compute one. */
  readonly terms?: readonly PriorityTerm[];
}

/** One thing that a priority, or the place of a job's group, is made of. */
export interface PriorityTerm {
  readonly name: PriorityTermName;
  /** What is measured: a factor of 0 … 1, a part of all, a number; the name says which. */
  readonly value: number;
  /** Where terms are weighed and added: its weight; points = weight × value. */
  readonly weight?: number;
}

export type PriorityTermName =
  | "age"
  | "fairShare"
  | "size"
  | "tier"
  /** Parts of all usage and of all shares, and the first over the second. */
  | "usagePart"
  | "duePart"
  | "level"
  /** Among siblings, of the team and of the user below it. */
  | "teamDue"
  | "teamUsage"
  | "userDue"
  | "userUsage"
  | "jobPriority"
  | "usageHours"
  /** Parts of the pool's devices, CPUs and memory that are held. */
  | "devicePart"
  | "cpuPart"
  | "memoryPart"
  | "devicesHeld"
  | "shares";
