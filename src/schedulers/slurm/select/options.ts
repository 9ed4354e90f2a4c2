/** What a partition and the configuration say about the choice of nodes, beside the request of the job. */
import type { SlurmConfig, SlurmPartition } from "../../../model/slurm/config.ts";
import type { CpuUnit } from "../../../scheduling/nodeChoice/trial.ts";
import { MANY } from "./wanted.ts";

export interface SelectOptions {
  /** Whose job it is: index into `JobTable.users`. */
  user: number;
  /** Leaf switches at most; 0 = any number. Set while a job waits for its `--switches`. */
  maxSwitches: number;
  /** Most nodes that the partition gives to a job; `MANY` = no limit. */
  maxNodes: number;
  readonly maxCpusPerNode: number;
  /** Least loaded node first. */
  readonly lln: boolean;
  readonly packSerialAtEnd: boolean;
  /** Jobs are placed by the tree of switches: all, or only those that ask for switches. */
  readonly topology: "none" | "asked" | "all";
  readonly unit: CpuUnit;
  readonly oneTaskPerCore: boolean;
}

/** Options of a partition; the caller sets the user, and `maxSwitches` while it holds. */
export function selectOptions(config: SlurmConfig, partition: SlurmPartition): SelectOptions {
  const { select } = config;
  const tree = select.topologyTree && config.switches.length > 0;
  return {
    user: -1,
    maxSwitches: 0,
    maxNodes: Math.min(MANY, partition.maxNodes),
    maxCpusPerNode: Math.min(MANY, partition.maxCpusPerNode),
    lln: select.lln || partition.lln,
    packSerialAtEnd: config.scheduler.packSerialAtEnd,
    topology: tree ? (select.topologyOptional ? "asked" : "all") : "none",
    unit: select.unit,
    oneTaskPerCore: select.oneTaskPerCore,
  };
}
