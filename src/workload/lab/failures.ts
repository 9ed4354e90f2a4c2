/**
 * Random outages, drawn before the run so that another policy or an injected job meets the same ones. Each unit (GPU, node, leaf) has a stream of its own, keyed by (seed, rule, name
 * of the unit), and takes three draws an outage: the time until it fails (exponential, from the end of the repair before), the repair (log-normal) and whether neighbours go along.
 *
 *     unit   is out                       neighbours
 *     gpu    this device                  its node
 *     node   this node                    its leaf
 *     leaf   all nodes of the leaf        the leaves of its spine
 *
 * They are drawn up to the horizon; without one, up to the last submission (injected jobs aside) plus four times the longer of two: the longest work, and all GPU-work spread
 * over all GPUs. What runs after that is spared. Rules that overlap are joined: a node is out while any of them says so.
 */

import ln from "@stdlib/math-base-special-ln";
import exponentialQuantile from "@stdlib/stats-base-dists-exponential-quantile";
import lognormalQuantile from "@stdlib/stats-base-dists-lognormal-quantile";
import type { Problem } from "../../base/problem.ts";
import { randomStream } from "../../base/random.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { JobFlag } from "../../model/jobs.ts";
import { LIMITS } from "../../model/limits.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { Change } from "../../model/world.ts";
import { acting } from "../../scenario/interventions.ts";
import type { FailureEntry, Scenario } from "../../scenario/schema.ts";
import { Outages, outageChanges, type Stretch } from "./outages.ts";

const REST = 4;

/** Up to which time outages are drawn. O(jobs). */
export function drawnUntilMs(scenario: Scenario, jobs: JobTable, cluster: Cluster): number {
  if (scenario.horizonMs !== undefined) return scenario.horizonMs;
  const { submitMs, workQ16, gpuTotal, flags } = jobs.at;
  let lastMs = 0;
  let longestMs = 0;
  let gpuMs = 0;
  for (let job = 0; job < jobs.count; job++) {
    if ((flags[job]! & (JobFlag.injected | JobFlag.service)) !== 0) continue;
    const workMs = workQ16[job]! / SPEED_ONE;
    lastMs = Math.max(lastMs, submitMs[job]!);
    longestMs = Math.max(longestMs, workMs);
    gpuMs += workMs * gpuTotal[job]!;
  }
  const spreadMs = gpuMs / Math.max(1, cluster.deviceCount);
  return Math.min(LIMITS.horizonMs, Math.ceil(lastMs + REST * Math.max(longestMs, spreadMs)));
}

/** O(units + outages log outages). A rule that would give too many outages is a problem, and none are made. */
export function drawFailures(
  scenario: Scenario,
  cluster: Cluster,
  untilMs: number,
  problems: Problem[],
): Change[] {
  if (scenario.failures.length === 0) return [];
  const drawn = { nodes: new Outages(), devices: new Outages() };
  for (const [index, rule] of scenario.failures.entries()) {
    const expected = expectedOutages(rule, cluster, untilMs);
    if (expected > LIMITS.outages) {
      problems.push(tooManyOutages(index, expected));
      return [];
    }
    drawRule(scenario.seed, rule, index, cluster, untilMs, drawn);
    if (drawn.nodes.count + drawn.devices.count <= LIMITS.outages) continue;
    problems.push(tooManyOutages(index, drawn.nodes.count + drawn.devices.count));
    return [];
  }
  const source = scenario.interventions.length;
  return outageChanges(drawn.nodes, drawn.devices, source, closedByHand(scenario, cluster));
}

function tooManyOutages(index: number, count: number): Problem {
  return {
    place: `/failures/${index}`,
    message: `About ${Math.round(count)} outages would be drawn; at most ${LIMITS.outages} are accepted.`,
    remedy: "Make mtbfMs longer, the horizon shorter, or name fewer node groups.",
  };
}

interface Drawn {
  readonly nodes: Outages;
  readonly devices: Outages;
}

function drawRule(
  seed: number,
  rule: FailureEntry,
  index: number,
  cluster: Cluster,
  untilMs: number,
  drawn: Drawn,
): void {
  const gapMs = exponentialQuantile.factory(1 / rule.mtbfMs);
  const sigma = ln(rule.repairSpread);
  const repairMs =
    sigma > 0 ? lognormalQuantile.factory(ln(rule.repairMs), sigma) : () => rule.repairMs;
  for (const unit of unitsOf(rule, cluster)) {
    const stream = randomStream(seed, "failures", `${index}/${rule.of}/${unit.name}`);
    let atMs = 0;
    for (;;) {
      const fromMs = Math.ceil(atMs + gapMs(stream()));
      if (!(fromMs < untilMs)) break;
      const length = Math.max(1, Math.round(repairMs(stream())));
      const stretch = { fromMs, untilMs: Math.min(LIMITS.horizonMs, fromMs + length) };
      if (stream() < rule.correlated) takeNeighbours(rule, unit, cluster, stretch, drawn);
      else takeUnit(unit, stretch, drawn);
      if (drawn.nodes.count + drawn.devices.count > LIMITS.outages) return;
      atMs = fromMs + length;
    }
  }
}

interface Unit {
  readonly name: string;
  /** −1 = not a device. */
  readonly device: number;
  readonly nodes: readonly number[];
}

/** Devices, nodes or leaves that a rule is about, in the order of the cluster. A leaf counts by those of its nodes that are in the groups. */
function unitsOf(rule: FailureEntry, cluster: Cluster): Unit[] {
  const { nodeNames, deviceBase, leafOfNode, leafNames } = cluster;
  const nodes = [...cluster.nodeGroup.keys()].filter(
    (node) => rule.nodeGroups?.includes(cluster.groups[cluster.nodeGroup[node]!]!.id) ?? true,
  );
  if (rule.of === "node")
    return nodes.map((node) => ({ name: nodeNames[node]!, device: -1, nodes: [node] }));
  if (rule.of === "gpu") {
    return nodes.flatMap((node) =>
      Array.from({ length: deviceBase[node + 1]! - deviceBase[node]! }, (_, number) => ({
        name: `${nodeNames[node]}/${number}`,
        device: deviceBase[node]! + number,
        nodes: [node],
      })),
    );
  }
  const byLeaf = new Map<number, number[]>();
  for (const node of nodes) {
    const known = byLeaf.get(leafOfNode[node]!);
    if (known) known.push(node);
    else byLeaf.set(leafOfNode[node]!, [node]);
  }
  return [...byLeaf].map(([leaf, below]) => ({ name: leafNames[leaf]!, device: -1, nodes: below }));
}

function takeUnit(unit: Unit, stretch: Stretch, drawn: Drawn): void {
  if (unit.device >= 0) drawn.devices.add(unit.device, stretch);
  else for (const node of unit.nodes) drawn.nodes.add(node, stretch);
}

function takeNeighbours(
  rule: FailureEntry,
  unit: Unit,
  cluster: Cluster,
  stretch: Stretch,
  drawn: Drawn,
): void {
  const { leafOfNode, spineOfLeaf } = cluster;
  const [first] = unit.nodes;
  const leaf = leafOfNode[first!]!;
  for (let node = 0; node < cluster.nodeCount; node++) {
    const other = leafOfNode[node]!;
    const along =
      rule.of === "gpu"
        ? node === first
        : rule.of === "node"
          ? other === leaf
          : spineOfLeaf[other] === spineOfLeaf[leaf];
    if (along) drawn.nodes.add(node, stretch);
  }
}

function expectedOutages(rule: FailureEntry, cluster: Cluster, untilMs: number): number {
  const units = unitCount(rule, cluster);
  return (units * untilMs) / (rule.mtbfMs + rule.repairMs);
}

function unitCount({ of }: FailureEntry, cluster: Cluster): number {
  if (of === "gpu") return cluster.deviceCount;
  return of === "node" ? cluster.nodeCount : cluster.leafCount;
}

/** Whether a node is free to come back at a time: no intervention has closed it and not opened it again. */
function closedByHand(scenario: Scenario, cluster: Cluster) {
  const nodeOf = new Map(cluster.nodeNames.map((name, node) => [name, node]));
  const byNode = new Map<number, { atMs: number; closes: boolean }[]>();
  for (const entry of acting(scenario.interventions).toSorted((a, b) => a.atMs - b.atMs)) {
    if (entry.kind !== "drain" && entry.kind !== "fail" && entry.kind !== "resume") continue;
    for (const name of entry.nodes) {
      const node = nodeOf.get(name);
      if (node === undefined) continue;
      const list = byNode.get(node) ?? [];
      list.push({ atMs: entry.atMs, closes: entry.kind !== "resume" });
      byNode.set(node, list);
    }
  }
  return (node: number, atMs: number): boolean => {
    const last = byNode.get(node)?.findLast((entry) => entry.atMs <= atMs);
    return last === undefined || !last.closes;
  };
}
