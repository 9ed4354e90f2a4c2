/**
 * A first configuration for a scenario that has none: a short slurm.conf with comments, in which queues are partitions, tiers are QOS,
 * teams are accounts and node groups are NodeName lines. It says what the scenario says, so that choosing Slurm changes the
 * scheduler and nothing else; the user goes on from there.
 */
import { nodeOrder } from "../nodeNames.ts";
import type { Scenario } from "../schema.ts";
import { compressHostlist } from "./hostlist.ts";
import type { SlurmFiles } from "./report.ts";

type Group = Scenario["cluster"]["nodeGroups"][number];

/** CPUs a GPU where the scenario does not count CPUs. */
const USUAL_CPUS_PER_GPU = 8;
const MIB_PER_GIB = 1_024;

/** The texts of a pool (the first one where none is named). O(nodes + names). */
export function textsOf(scenario: Scenario, poolId?: string): SlurmFiles {
  const pool = scenario.pools.find((each) => each.id === poolId) ?? scenario.pools[0];
  const mine = pool?.nodeGroups;
  const groups = scenario.cluster.nodeGroups.map((group) => ({
    group,
    names: [] as string[],
    isHere: mine === undefined || mine.includes(group.id),
  }));
  // A flat machine is one node of the document; Slurm's nodes are its processors, which have no names.
  const nodes = scenario.cluster.flat ? [] : nodeOrder(scenario.cluster);
  for (const node of nodes) groups[node.group]!.names.push(node.name);
  const here = groups.filter((each) => each.isHere && each.names.length > 0);
  const topology = topologyOf(scenario, new Set(here.flatMap((each) => each.names)));
  const lines = [
    "# What this scenario says, in Slurm's words. Change it here or in the form beside it.",
    `ClusterName=${word(scenario.title)}`,
    "",
    ...schedulingLines(scenario, topology !== ""),
    ...nodeLines(here),
    ...partitionLines(scenario),
  ];
  return {
    conf: `${lines.join("\n")}\n`,
    gres: "",
    topology,
    accounting: accountingOf(scenario),
  };
}

function schedulingLines(scenario: Scenario, hasSwitches: boolean): string[] {
  return [
    "# The backfill scheduler plans every bf_interval seconds and looks bf_window minutes ahead.",
    "SchedulerType=sched/backfill",
    "SchedulerParameters=bf_interval=30,bf_window=1440,bf_max_job_test=500",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core",
    ...(hasSwitches ? ["TopologyPlugin=topology/tree"] : []),
    ...(scenario.killAtLimit
      ? []
      : ["# Time limits are no reason to end a job in this scenario.", "OverTimeLimit=UNLIMITED"]),
    "",
    "# Priority = the sum of weight x factor; every factor is a number from 0 to 1.",
    "PriorityType=priority/multifactor",
    "PriorityWeightQOS=10000",
    "PriorityWeightAge=1000",
    `PriorityWeightFairshare=${scenario.teams.length > 0 ? 2_000 : 0}`,
    "",
    "# Who may stop whom: PreemptType=preempt/qos and PreemptMode=REQUEUE let a QOS do it.",
    "PreemptType=preempt/none",
    "",
  ];
}

interface NamedGroup {
  readonly group: Group;
  readonly names: readonly string[];
}

function nodeLines(groups: readonly NamedGroup[]): string[] {
  if (groups.length === 0) return [];
  const models = new Set(groups.map(({ group }) => group.gpuModel));
  return [
    ...(groups.some(({ group }) => group.cpus === 0)
      ? ["# The scenario does not count CPUs; there are enough here for every GPU."]
      : []),
    "GresTypes=gpu",
    ...groups.map(({ group, names }) => nodeLine(group, names, models.size > 1)),
    "",
  ];
}

function nodeLine(group: Group, names: readonly string[], typed: boolean): string {
  const cpus = group.cpus > 0 ? group.cpus : Math.max(1, group.gpus) * USUAL_CPUS_PER_GPU;
  const type = typed ? `${word(group.gpuModel).toLowerCase()}:` : "";
  return [
    `NodeName=${compressHostlist(names)}`,
    `CPUs=${cpus}`,
    ...(group.memGiB > 0 ? [`RealMemory=${group.memGiB * MIB_PER_GIB}`] : []),
    ...(group.gpus > 0 ? [`Gres=gpu:${type}${group.gpus}`] : []),
  ].join(" ");
}

function partitionLines(scenario: Scenario): string[] {
  const queues = scenario.queues.length > 0 ? scenario.queues : ["main"];
  return queues.map((queue, index) =>
    [
      `PartitionName=${quoted(queue)}`,
      "Nodes=ALL",
      ...(index === 0 ? ["Default=YES"] : []),
      "MaxTime=UNLIMITED State=UP",
    ].join(" "),
  );
}

function accountingOf(scenario: Scenario): string {
  const last = scenario.tiers.length - 1;
  const qos = scenario.tiers.map((tier, rank) => {
    const priority = (last - rank) * 100;
    return tier.id.toLowerCase() === "normal"
      ? `modify qos normal set priority=${priority}`
      : `add qos ${quoted(tier.id)} priority=${priority}`;
  });
  const accounts = scenario.teams.map(
    (team) => `add account ${quoted(team.id)} fairshare=${team.shares}`,
  );
  return [
    "# QOS: the tiers of the scenario; the higher the priority, the sooner.",
    ...qos,
    ...(accounts.length > 0 ? ["", "# Accounts: the teams, with their shares.", ...accounts] : []),
    "",
  ].join("\n");
}

/** The switches of the scenario over these nodes; "" where nothing is known of the network, or it is one switch. */
function topologyOf({ cluster }: Scenario, here: ReadonlySet<string>): string {
  if (here.size === 0) return "";
  const lines = cluster.switches
    ? cluster.switches.map((each) =>
        [
          `SwitchName=${each.name}`,
          ...(each.nodes ? [`Nodes=${each.nodes}`] : []),
          ...(each.switches && each.switches.length > 0
            ? [`Switches=${each.switches.join(",")}`]
            : []),
        ].join(" "),
      )
    : cluster.fabric
      ? fabricLines(cluster, cluster.fabric, here)
      : [];
  return lines.length < 2 ? "" : `${lines.join("\n")}\n`;
}

function fabricLines(
  cluster: Scenario["cluster"],
  { nodesPerLeaf, leavesPerSpine }: NonNullable<Scenario["cluster"]["fabric"]>,
  here: ReadonlySet<string>,
): string[] {
  const names = nodeOrder(cluster).map((node) => node.name);
  const leaves: string[] = [];
  const spines: string[][] = [];
  for (let from = 0; from < names.length; from += nodesPerLeaf) {
    const mine = names.slice(from, from + nodesPerLeaf).filter((name) => here.has(name));
    if (mine.length === 0) continue;
    const leaf = from / nodesPerLeaf;
    leaves.push(`SwitchName=leaf${leaf} Nodes=${compressHostlist(mine)}`);
    const spine = Math.floor(leaf / leavesPerSpine);
    spines[spine] ??= [];
    spines[spine].push(`leaf${leaf}`);
  }
  const used = spines.flatMap((below, spine) => (below ? [{ name: `spine${spine}`, below }] : []));
  if (leaves.length < 2) return leaves;
  const above = used.map(({ name, below }) => `SwitchName=${name} Switches=${below.join(",")}`);
  if (used.length > 1)
    above.push(`SwitchName=core Switches=${used.map(({ name }) => name).join(",")}`);
  return [...leaves, ...above];
}

/** A title as one word. */
function word(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "cluster"
  );
}

/** A name as Slurm's files take it: in quotes where it has blanks; a quote within has no form there and is left out. */
function quoted(name: string): string {
  const plain = name.replace(/["'\n]/g, "");
  return /[\s#]/.test(plain) ? `"${plain}"` : plain;
}
