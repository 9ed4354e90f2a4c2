/**
 * The limits of a configuration, made ready for checking: by QOS and by entry of the association tree, the resources of each limit in
 * Slurm's order. Limits of single jobs and users that an account has hold for all below that have none of their own (sacctmgr(1):
 * they are inherited); limits of groups stay where they are, because a job is held to those of every entry above it.
 */
import type {
  EnforceConfig,
  SlurmConfig,
  SlurmLimits,
  SlurmPartition,
  SlurmQos,
  TresAmounts,
} from "../../model/slurm/config.ts";
import type { AssociationTree } from "../accounting/associations.ts";
import { inTresOrder, TRES_LIMITS, type TresLimit } from "./words.ts";

/** One resource of a limit. `tresIdx` is its index in `LimitSetup.tres`. */
export interface TresMost {
  readonly tres: string;
  readonly tresIdx: number;
  readonly most: number;
}

/** The limits of one QOS or association; `Infinity` = none. */
export interface LimitSet {
  readonly tres: Readonly<Record<TresLimit, readonly TresMost[]>>;
  readonly grpJobs: number;
  readonly grpJobsAccrue: number;
  readonly grpSubmitJobs: number;
  readonly grpWallMs: number;
  readonly maxJobs: number;
  readonly maxJobsPerUser: number;
  readonly maxJobsPerAccount: number;
  readonly maxJobsAccruePerUser: number;
  readonly maxJobsAccruePerAccount: number;
  readonly maxSubmitJobs: number;
  readonly maxSubmitJobsPerUser: number;
  readonly maxSubmitJobsPerAccount: number;
  readonly maxWallMs: number;
  /** `MinPrioThreshold`; 0 = none. */
  readonly minPrioThreshold: number;
  /** None of the limits above is set. */
  readonly unlimited: boolean;
}

/** Everything that does not change during a run; copies of the books share it. */
export interface LimitSetup {
  /** `AccountingStorageEnforce`, with what one word implies of the others. */
  readonly enforce: Pick<EnforceConfig, "associations" | "limits" | "qos" | "safe">;
  readonly partLimits: EnforceConfig["partLimits"];
  /** priority/multifactor takes elapsed time off the minutes still to run at each tick; under priority/basic nothing does. */
  readonly runMinsShrink: boolean;
  /** `PriorityCalcPeriod`. */
  readonly tickEverySec: number;
  readonly tree: AssociationTree;
  readonly qos: readonly SlurmQos[];
  readonly partitions: readonly SlurmPartition[];
  /** Nodes of each partition. */
  readonly partitionNodes: readonly number[];
  /** QOS of each partition, −1 = none. */
  readonly partitionQos: readonly number[];
  readonly qosLimits: readonly LimitSet[];
  readonly assocLimits: readonly LimitSet[];
  /** Names of the QOS that jobs of each entry may use; null = any. */
  readonly qosOfAssoc: readonly (readonly string[] | null)[];
  /** Number of the account of each entry. */
  readonly accountOf: readonly number[];
  /** Resources that some limit names: the only ones that are counted. */
  readonly tres: readonly string[];
  /** Nothing is limited: jobs need not be counted. */
  readonly idle: boolean;
}

/** What jobs index: the QOS and partitions of a cluster, and how many nodes each partition has. */
export interface LimitLists {
  readonly qos: readonly SlurmQos[];
  readonly partitions: readonly SlurmPartition[];
  readonly partitionNodes: readonly number[];
}

/** The lists as a configuration has them. */
export function listsOf(config: SlurmConfig): LimitLists {
  const { qos, partitions, nodes } = config;
  return {
    qos,
    partitions,
    partitionNodes: partitions.map((each) => (each.nodes ?? nodes).length),
  };
}

/** QOS that jobs may use where nothing was said: slurmdbd gives a new cluster this one. */
const DEFAULT_QOS: readonly string[] = ["normal"];

type Plain = Partial<Record<keyof SlurmLimits, number | TresAmounts>>;

/** Reads limits and QOS lists of a configuration. O(entries × limits). */
export function limitSetup(
  config: SlurmConfig,
  tree: AssociationTree,
  { qos, partitions, partitionNodes }: LimitLists,
): LimitSetup {
  const inherited = withInherited(tree);
  const tres = namedTres([...qos, ...inherited]);
  const numbers = new Map<string, number>();
  for (const account of tree.account) if (!numbers.has(account)) numbers.set(account, numbers.size);
  const qosLimits = qos.map((each) => limitSet(each, tres));
  const assocLimits = inherited.map((each) => limitSet(each, tres));
  const limits = config.enforce.limits || config.enforce.safe;
  return {
    enforce: {
      associations: config.enforce.associations || limits || config.enforce.qos,
      limits,
      qos: config.enforce.qos,
      safe: config.enforce.safe,
    },
    partLimits: config.enforce.partLimits,
    runMinsShrink: config.priority.type === "multifactor",
    tickEverySec: config.priority.calcPeriodMs / 1000,
    tree,
    qos,
    partitions,
    partitionNodes,
    partitionQos: partitions.map((each) => qos.findIndex(({ name }) => name === each.qos)),
    qosLimits,
    assocLimits,
    qosOfAssoc: qosLists(config, tree),
    accountOf: tree.account.map((account) => numbers.get(account)!),
    tres,
    idle: !limits || [...qosLimits, ...assocLimits].every((each) => each.unlimited),
  };
}

/** QOS lists, each inherited from above where an entry has none. */
function qosLists(config: SlurmConfig, tree: AssociationTree): (readonly string[] | null)[] {
  const lists: (readonly string[] | null)[] = [];
  const atRoot = config.associations.length === 0 ? null : DEFAULT_QOS;
  for (let at = 0; at < tree.count; at++) {
    const parent = tree.parent[at]!;
    lists.push(tree.limits[at]!.qos ?? (parent < 0 ? atRoot : lists[parent]!));
  }
  return lists;
}

const INHERITED_AMOUNTS = ["maxTresPerJob", "maxTresPerNode", "maxTresMinsPerJob"] as const;
const INHERITED_NUMBERS = ["maxJobs", "maxSubmitJobs", "maxWallMs", "minPrioThreshold"] as const;

function withInherited(tree: AssociationTree): SlurmLimits[] {
  const all: SlurmLimits[] = [];
  for (let at = 0; at < tree.count; at++) {
    const above = all[tree.parent[at]!];
    const own: Plain = { ...(tree.limits[at] as SlurmLimits) };
    if (above !== undefined) {
      for (const name of INHERITED_AMOUNTS)
        own[name] = { ...above[name], ...(own[name] as TresAmounts | undefined) };
      for (const name of INHERITED_NUMBERS) {
        const value = own[name] ?? above[name];
        if (value !== undefined) own[name] = value;
      }
    }
    all.push(own as SlurmLimits);
  }
  return all;
}

function namedTres(all: readonly SlurmLimits[]): string[] {
  return inTresOrder(
    all.flatMap((each) => TRES_LIMITS.flatMap((limit) => Object.keys(each[limit] ?? {}))),
  );
}

function limitSet(limits: SlurmLimits, tres: readonly string[]): LimitSet {
  const byTres = Object.fromEntries(
    TRES_LIMITS.map((limit) => [limit, mosts(limits[limit] ?? {}, tres)]),
  ) as Record<TresLimit, TresMost[]>;
  const numbers = {
    grpJobs: limits.grpJobs ?? Number.POSITIVE_INFINITY,
    grpJobsAccrue: limits.grpJobsAccrue ?? Number.POSITIVE_INFINITY,
    grpSubmitJobs: limits.grpSubmitJobs ?? Number.POSITIVE_INFINITY,
    grpWallMs: limits.grpWallMs ?? Number.POSITIVE_INFINITY,
    maxJobs: limits.maxJobs ?? Number.POSITIVE_INFINITY,
    maxJobsPerUser: limits.maxJobsPerUser ?? Number.POSITIVE_INFINITY,
    maxJobsPerAccount: limits.maxJobsPerAccount ?? Number.POSITIVE_INFINITY,
    maxJobsAccruePerUser: limits.maxJobsAccruePerUser ?? Number.POSITIVE_INFINITY,
    maxJobsAccruePerAccount: limits.maxJobsAccruePerAccount ?? Number.POSITIVE_INFINITY,
    maxSubmitJobs: limits.maxSubmitJobs ?? Number.POSITIVE_INFINITY,
    maxSubmitJobsPerUser: limits.maxSubmitJobsPerUser ?? Number.POSITIVE_INFINITY,
    maxSubmitJobsPerAccount: limits.maxSubmitJobsPerAccount ?? Number.POSITIVE_INFINITY,
    maxWallMs: limits.maxWallMs ?? Number.POSITIVE_INFINITY,
  };
  const minPrioThreshold = limits.minPrioThreshold ?? 0;
  const unlimited =
    minPrioThreshold === 0 &&
    Object.values(byTres).every((each) => each.length === 0) &&
    Object.values(numbers).every((each) => each === Number.POSITIVE_INFINITY);
  return { tres: byTres, ...numbers, minPrioThreshold, unlimited };
}

function mosts(amounts: TresAmounts, tres: readonly string[]): TresMost[] {
  return tres.flatMap((name, tresIdx) => {
    const amount = amounts[name];
    if (amount === undefined || amount === Number.POSITIVE_INFINITY) return [];
    return [{ tres: name, tresIdx, most: amount }];
  });
}
