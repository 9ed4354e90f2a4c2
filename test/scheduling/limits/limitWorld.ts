/** A small cluster with accounts, for tests of limits: root ▸ physics ▸ alice, bob and root ▸ maths ▸ carol. */
import type {
  SlurmAssociation,
  SlurmConfig,
  SlurmLimits,
  SlurmPartition,
  SlurmQos,
} from "../../../src/model/slurm/config.ts";
import {
  defaultAssociation,
  defaultConfig,
  defaultPartition,
  defaultQos,
} from "../../../src/model/slurm/defaults.ts";
import {
  type AssociationTree,
  associationsOf,
} from "../../../src/scheduling/accounting/associations.ts";
import {
  createLimitBooks,
  type LimitBooks,
  type LimitJob,
  type LimitUsage,
} from "../../../src/scheduling/limits/books.ts";

export const MINUTE = 60_000;

export interface LimitWorld {
  readonly enforce?: Partial<SlurmConfig["enforce"]>;
  readonly priority?: "basic" | "multifactor";
  readonly qos?: readonly (Partial<SlurmQos> & { readonly name: string })[];
  readonly partitions?: readonly (Partial<SlurmPartition> & { readonly name: string })[];
  /** By `account` or `account/user`. */
  readonly assoc?: Readonly<Record<string, SlurmLimits & Partial<SlurmAssociation>>>;
}

const ENTRIES: readonly (readonly [string, string, number])[] = [
  ["root", "", -1],
  ["root", "root", 0],
  ["physics", "", 0],
  ["physics", "alice", 2],
  ["physics", "bob", 2],
  ["maths", "", 0],
  ["maths", "carol", 5],
];

export const USERS = ["root", "alice", "bob", "carol"];
export const ENTRY_OF: Readonly<Record<string, number>> = { alice: 3, bob: 4, carol: 6 };

export function treeOf(config: SlurmConfig): AssociationTree {
  const jobs = { count: 0, at: {} as never, users: USERS };
  return associationsOf(config, [], jobs);
}

/** Books of this world; QOS 0 is `normal`, those of the world follow. */
export function booksOf(world: LimitWorld): LimitBooks {
  const plain = defaultConfig();
  const config: SlurmConfig = {
    ...plain,
    priority: { ...plain.priority, type: world.priority ?? "multifactor" },
    enforce: { ...plain.enforce, associations: true, limits: true, qos: true, ...world.enforce },
    qos: [defaultQos("normal"), ...(world.qos ?? [])].map((each) => ({
      ...defaultQos(each.name),
      ...each,
    })),
    partitions: (world.partitions ?? [{ name: "main" }]).map((each) => ({
      ...defaultPartition(each.name),
      ...each,
    })),
    associations: ENTRIES.map(([account, user, parent]) => ({
      ...defaultAssociation(account, user),
      parent,
      account,
      user,
      ...world.assoc?.[user === "" ? account : `${account}/${user}`],
    })),
  };
  return createLimitBooks(config, treeOf(config));
}

let nextJob = 0;

export function jobOf(user: string, more: Partial<LimitJob> = {}): LimitJob {
  return {
    jobIdx: nextJob++,
    user: USERS.indexOf(user),
    assoc: ENTRY_OF[user] ?? -1,
    qos: 0,
    partition: 0,
    limitMs: 10 * MINUTE,
    ...more,
  };
}

export const NO_USAGE: LimitUsage = {
  nowMs: 0,
  assocTresMins: () => 0,
  qosTresMins: () => 0,
  assocWallMs: () => 0,
  qosWallMs: () => 0,
  fairShare: () => 1,
};

/** `count` GPUs on one node with as many CPUs. */
export function gpus(count: number): Record<string, number> {
  return {
    cpu: Math.max(1, count),
    mem: 1000,
    node: 1,
    billing: Math.max(1, count),
    "gres/gpu": count,
  };
}
