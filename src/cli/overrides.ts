/** The options of `run` that change the scenario, applied to the document before it is expanded: the run stays one of a document. */
import { readScenario } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { devicesFor } from "../workload/suggest.ts";
import { problemLine, say, wrongCall } from "./fail.ts";
import { idleSettings } from "./idleSettings.ts";
import { policyNamed } from "./policyNames.ts";
import { withSettings } from "./setOption.ts";

export interface Overrides {
  readonly policy?: string;
  /** `name=value`: a setting of the preset, or a parameter of Slurm. */
  readonly set?: readonly string[];
  readonly nodes?: number;
  readonly gpusPerNode?: number;
  /** A flat machine of so many processors. */
  readonly procs?: number;
  readonly seed?: number;
  readonly untilMs?: number;
  /** False: jobs run past their limit. */
  readonly kill: boolean;
}

const USUAL_GPUS_PER_NODE = 8;

/** The changed document, through the same door as a file: an option that goes past a limit is a wrong call. */
export function override(
  scenario: Scenario,
  trace: ParsedWorkload | undefined,
  options: Overrides,
): Scenario {
  const { untilMs } = options;
  const read = readScenario({
    ...scenario,
    cluster: clusterOf(scenario, trace, options),
    pools: poolsOf(scenario, options),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(untilMs === undefined ? {} : { horizonMs: untilMs }),
    // What would happen after the end has no part in the run.
    interventions: scenario.interventions.filter(({ atMs }) => atMs <= (untilMs ?? atMs)),
    killAtLimit: scenario.killAtLimit && options.kill,
  });
  if (!read.ok) throw wrongCall(read.error.map(problemLine).join("\n"));
  return read.value;
}

function poolsOf(scenario: Scenario, options: Overrides): Scenario["pools"] {
  const policy = options.policy === undefined ? null : policyNamed(options.policy);
  return scenario.pools.map((pool) => ({
    ...pool,
    policy: withSettings(policy ?? pool.policy, options.set ?? []),
  }));
}

/** Configuration that a policy by name leaves behind: with its defaults it may be another policy altogether. */
export function tellReplaced({ pools }: Scenario, names: readonly (string | undefined)[]): void {
  for (const name of names) {
    if (name === undefined || policyNamed(name) === null) continue;
    for (const { id, policy } of pools) {
      const left = policy.yaml ? "YAML" : policy.slurm ? "configuration" : null;
      if (left === null) continue;
      say(
        `note: ${id} is run under ${name} as it is by default, without the ${left} of its own ${policy.preset}; --policy scenario keeps it`,
      );
    }
  }
}

/** Settings that were given and have no effect, of the pools as they are run. */
export function tellIdle({ pools }: Scenario): void {
  for (const { id, policy } of pools)
    for (const sentence of idleSettings(policy)) say(`note: ${id}: ${sentence}`);
}

function clusterOf(
  scenario: Scenario,
  trace: ParsedWorkload | undefined,
  { nodes, gpusPerNode, procs }: Overrides,
): Scenario["cluster"] {
  if (procs !== undefined) {
    if (nodes !== undefined || gpusPerNode !== undefined) {
      throw wrongCall("--procs makes a flat machine; it cannot go with --nodes or --gpus-per-node");
    }
    return flatMachine(scenario, procs);
  }
  if (nodes === undefined && gpusPerNode === undefined) return scenario.cluster;
  const [group, ...others] = scenario.cluster.nodeGroups;
  if (group === undefined || others.length > 0) {
    throw wrongCall(
      "--nodes and --gpus-per-node fit a cluster of one node group; edit the scenario instead",
    );
  }
  if (!scenario.cluster.flat) {
    return {
      ...scenario.cluster,
      nodeGroups: [{ ...group, count: nodes ?? group.count, gpus: gpusPerNode ?? group.gpus }],
    };
  }
  const gpus = gpusPerNode ?? USUAL_GPUS_PER_NODE;
  const devices = trace === undefined ? group.gpus : devicesFor(trace);
  const count = nodes ?? Math.ceil(devices / gpus);
  return {
    ...scenario.cluster,
    flat: false,
    nodeGroups: [{ ...group, id: "gpu", gpuModel: "GPU", count, gpus }],
  };
}

/** One node whose devices are processors; a fabric would have nothing to join. */
function flatMachine(scenario: Scenario, procs: number): Scenario["cluster"] {
  const [group] = scenario.cluster.nodeGroups;
  if (group === undefined) throw wrongCall("the scenario has no node group");
  return {
    flat: true,
    nodeGroups: [{ ...group, id: "machine", gpuModel: "processor", count: 1, gpus: procs }],
  };
}
