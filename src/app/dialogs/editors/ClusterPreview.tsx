/** What the machine comes to in numbers, and its layout in small: a box a leaf, a tile a node, its devices as cells; groups told apart by tint and letter. */
import { countText, numberText } from "../../../base/format.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { clusterFacts, type LeafPart, leavesOf } from "./clusterFacts.ts";

const LEAVES_MOST = 24;
const NODES_MOST = 36;
const CELLS_MOST = 16;

export function ClusterPreview({ cluster }: { readonly cluster: Scenario["cluster"] }) {
  const facts = clusterFacts(cluster);
  const leaves = leavesOf(cluster, LEAVES_MOST);
  const word = cluster.flat ? "processor" : "GPU";
  const rows: readonly (readonly [string, string])[] = [
    [`${word}s`, numberText(facts.devices)],
    ["nodes", numberText(facts.nodes)],
    ["leaf switches", facts.leaves === 0 ? "none given" : numberText(facts.leaves)],
    ["spines", facts.leaves === 0 ? "–" : numberText(facts.spines)],
    ["price an hour", priceText(facts)],
  ];
  return (
    <>
      <h3>What it comes to</h3>
      <dl className="editor-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      {facts.pricePerHour !== null && facts.priced < 1 && (
        <p className="part-note">
          {numberText((1 - facts.priced) * 100)} % of the {word}s have no price.
        </p>
      )}
      {!cluster.flat && (
        <>
          <h3>Layout</h3>
          <ol className="editor-leaves" aria-label="Layout">
            {leaves.map((parts, leaf) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a leaf is its place.
              <Leaf key={leaf} leaf={leaf} parts={parts} cluster={cluster} />
            ))}
          </ol>
          {facts.leaves > leaves.length && (
            <p className="part-note">
              and {countText(facts.leaves - leaves.length, "more leaf", "more leaves")}
            </p>
          )}
        </>
      )}
    </>
  );
}

function priceText({ pricePerHour }: ReturnType<typeof clusterFacts>): string {
  return pricePerHour === null ? "none" : numberText(pricePerHour, 2);
}

interface LeafProps {
  readonly leaf: number;
  readonly parts: readonly LeafPart[];
  readonly cluster: Scenario["cluster"];
}

function Leaf({ leaf, parts, cluster }: LeafProps) {
  const total = parts.reduce((sum, { nodes }) => sum + nodes, 0);
  const words = parts
    .map(
      ({ group, nodes }) =>
        `${nodes} × ${cluster.nodeGroups[group]!.gpus} ${cluster.nodeGroups[group]!.id}`,
    )
    .join(", ");
  let room = NODES_MOST;
  const tiles = parts.flatMap(({ group, nodes }) => {
    const shown = Math.min(nodes, room);
    room -= shown;
    return Array.from({ length: shown }, (_, node) => ({ group, node }));
  });
  return (
    <li>
      <span className="editor-leaf-name">
        {cluster.fabric ? `L${leaf}` : ""} <small>{words}</small>
      </span>
      <span className="editor-nodes" aria-hidden>
        {tiles.map(({ group, node }) => (
          <Tile key={`${group} ${node}`} group={group} gpus={cluster.nodeGroups[group]!.gpus} />
        ))}
        {total > NODES_MOST && <small>+{total - NODES_MOST}</small>}
      </span>
    </li>
  );
}

function Tile({ group, gpus }: { readonly group: number; readonly gpus: number }) {
  const cells = Math.min(gpus, CELLS_MOST);
  return (
    <svg
      className="editor-node"
      data-group={group % 4}
      width={2 * cells + 5}
      height="12"
      aria-hidden
    >
      <rect x="0.5" y="0.5" width={2 * cells + 4} height="11" />
      {Array.from({ length: cells }, (_, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
        <rect key={cell} className="editor-cell" x={3 + 2 * cell} y="3" width="1" height="6" />
      ))}
    </svg>
  );
}
