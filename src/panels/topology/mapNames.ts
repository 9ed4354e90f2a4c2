/** Names of the map's nodes and NVSwitch domains, made once for a cluster. */
import { countText } from "../../base/format.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";

/** A node's own name; of a band of a flat machine its first processor. */
export function unitNamesOf({ tree }: MapState): readonly string[] {
  const known = names.get(tree);
  if (known) return known;
  const { units, cluster } = tree;
  const made = Array.from(units.unitNode, (node, u) =>
    cluster.flat ? String(units.unitFirst[u]! + 1) : (cluster.nodeNames[node] ?? String(node + 1)),
  );
  names.set(tree, made);
  return made;
}
const names = new WeakMap<object, readonly string[]>();

/** "NVSwitch 2 · 72 GPUs". */
export function domainNamesOf({ tree }: MapState): readonly string[] {
  const known = domainNames.get(tree);
  if (known) return known;
  const { cluster } = tree;
  const devices = new Int32Array(cluster.nvswitchCount);
  cluster.nvswitchOfNode.forEach((domain, node) => {
    if (domain >= 0) devices[domain]! += cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  });
  const made = Array.from(
    devices,
    (count, domain) => `NVSwitch ${domain + 1} · ${countText(count, cluster.deviceWord)}`,
  );
  domainNames.set(tree, made);
  return made;
}
const domainNames = new WeakMap<object, readonly string[]>();
