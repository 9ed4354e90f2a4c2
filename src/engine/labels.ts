/**
 * Labels of single nodes, changed in the middle of a run. Labels belong to groups of nodes everywhere, so that a test of a node is one look-up and a test of a shape one a group: a node that is
 * labelled goes to a group of its own, the same but for the labels. Groups are only added, at the end, so what is numbered by them stays right. The schedulers of its pool read
 * their nodes anew, as at a change of policy: what they promised is void, what jobs hold stays theirs. A job that runs on a node keeps it whatever its labels become
 * (Kubernetes: "required during scheduling, ignored during execution"). O(nodes + groups) a change.
 */
import type { Cluster, NodeGroupInfo } from "../model/cluster.ts";
import type { Change, World } from "../model/world.ts";
import { changePolicy } from "./policyChange.ts";
import type { Presets } from "./pool.ts";
import type { Run } from "./run.ts";

type Label = Extract<Change, { kind: "label" }>;

/** The same change of the same cluster gives the same object: what is derived from clusters is kept by it. */
const made = new WeakMap<Label, { readonly from: Cluster; readonly to: Cluster }>();

/** The cluster with other labels on some nodes; the same object where nothing changes. */
export function labelled(cluster: Cluster, change: Label): Cluster {
  const known = made.get(change);
  if (known?.from === cluster) return known.to;
  const groups = [...cluster.groups];
  const nodeGroup = cluster.nodeGroup.slice();
  let changed = false;
  for (const node of change.nodes) {
    const own = groups[nodeGroup[node]!]!;
    const labels: Record<string, string> = { ...own.labels, ...change.labels };
    for (const label of change.remove) delete labels[label];
    if (sameLabels(labels, own.labels)) continue;
    changed = true;
    let index = groups.findIndex(
      (group) => group.id === own.id && sameLabels(group.labels, labels),
    );
    if (index < 0) index = groups.push({ ...own, labels } satisfies NodeGroupInfo) - 1;
    nodeGroup[node] = index;
  }
  const to = changed ? { ...cluster, groups, nodeGroup } : cluster;
  made.set(change, { from: cluster, to });
  return to;
}

/** The cluster as the first `count` changes have labelled it. O(changes), and O(nodes) the first time for each. */
export function clusterAfter({ cluster, changes }: World, count: number): Cluster {
  let now = cluster;
  for (let i = 0; i < count; i++) {
    const change = changes[i]!;
    if (change.kind === "label") now = labelled(now, change);
  }
  return now;
}

/** The cluster as it is labelled at a time. */
export function clusterAt(world: World, atMs: number): Cluster {
  return clusterAfter(world, world.changes.filter((change) => change.atMs <= atMs).length);
}

/** Other labels from this instant on. Where nodes change pools by themselves, every pool may meet them. */
export function relabel(run: Run, presets: Presets, change: Label): void {
  const { ledger } = run.allocations;
  const before = ledger.cluster;
  ledger.cluster = labelled(before, change);
  if (ledger.cluster === before) return;
  const touched = new Set(change.nodes.map((node) => ledger.poolOfNode[node]!));
  run.pools.forEach((pool, index) => {
    pool.desk.cluster = ledger.cluster;
    if (touched.has(index) || run.world.fleet) changePolicy(run, presets, index, pool.settings);
  });
}

function sameLabels(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
