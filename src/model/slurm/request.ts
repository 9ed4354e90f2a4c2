/**
 * What a job asks of Slurm beyond size and time: the options of `sbatch(1)`, by their names. A job without an entry in
 * `JobTable.slurm` asks for what its components say (`schedulers/slurm/select/wanted.ts`).
 */
export interface SlurmRequest {
  /** Partitions in the order given; empty = the job's queue, or the default partition. */
  readonly partitions: readonly string[];
  /** `--nodes=min-max`; 0 = not given. */
  readonly minNodes: number;
  readonly maxNodes: number;
  /** 0 = not given. */
  readonly ntasks: number;
  readonly ntasksPerNode: number;
  readonly cpusPerTask: number;
  /** `--gpus` (total), `--gpus-per-node`, `--gpus-per-task`; 0 = not given. */
  readonly gpus: number;
  readonly gpusPerNode: number;
  readonly gpusPerTask: number;
  /** Type of the GPUs; "" = any. MIG slices are GPUs of a type. */
  readonly gpuType: string;
  /** `--gres=shard:n`, per node; 0 = none. */
  readonly shardsPerNode: number;
  /** MiB; 0 = not given. */
  readonly memPerNodeMiB: number;
  readonly memPerCpuMiB: number;
  readonly memPerGpuMiB: number;
  /** `--constraint`, as written. */
  readonly constraint: string;
  /** Names of nodes. */
  readonly nodelist: readonly string[];
  readonly exclude: readonly string[];
  readonly exclusive: "no" | "node" | "user";
  /** `--oversubscribe`. */
  readonly oversubscribe: boolean;
  readonly contiguous: boolean;
  /** `--time-min`; 0 = not given. */
  readonly timeMinMs: number;
  /** No `--time` was given: the partition's default applies. */
  readonly noTimeLimit: boolean;
  readonly nice: number;
  /** `--priority`; −1 = not given. */
  readonly priority: number;
  /** `--hold`. */
  readonly hold: boolean;
  /** `--requeue` / `--no-requeue`; null = `JobRequeue` decides. */
  readonly requeue: boolean | null;
  /** Name; "" = none. */
  readonly reservation: string;
  /** `--switches=count@wait`; 0 = not asked. */
  readonly switches: number;
  readonly switchWaitMs: number;
  /** `--signal=…@before`: sent this long before the limit and at the start of a preemption's grace; 0 = none. */
  readonly signalBeforeMs: number;
  /** What the job needs after the signal to save its work and exit; it then leaves with its work kept. 0 = the signal has no effect. */
  readonly signalSaveMs: number;
  /** How long the job lives on after SIGTERM, at most `KillWait`. */
  readonly termMs: number;
  /** Container start-up (enroot/pyxis): the run holds its devices for this long before work begins. */
  readonly startupMs: number;
  /** Components of one heterogeneous job share this name; "" = none. */
  readonly het: string;
  /** `--array=…%n`: tasks of one array share the id, of which at most `arrayMost` run at once; "" = no array. */
  readonly arrayId: string;
  readonly arrayIndex: number;
  readonly arrayMost: number;
}

/** A request with nothing asked for; `sbatch` without options. */
export const NO_REQUEST: SlurmRequest = {
  partitions: [],
  minNodes: 0,
  maxNodes: 0,
  ntasks: 0,
  ntasksPerNode: 0,
  cpusPerTask: 1,
  gpus: 0,
  gpusPerNode: 0,
  gpusPerTask: 0,
  gpuType: "",
  shardsPerNode: 0,
  memPerNodeMiB: 0,
  memPerCpuMiB: 0,
  memPerGpuMiB: 0,
  constraint: "",
  nodelist: [],
  exclude: [],
  exclusive: "no",
  oversubscribe: false,
  contiguous: false,
  timeMinMs: 0,
  noTimeLimit: false,
  nice: 0,
  priority: -1,
  hold: false,
  requeue: null,
  reservation: "",
  switches: 0,
  switchWaitMs: 0,
  signalBeforeMs: 0,
  signalSaveMs: 0,
  termMs: 0,
  startupMs: 0,
  het: "",
  arrayId: "",
  arrayIndex: 0,
  arrayMost: Number.POSITIVE_INFINITY,
};
