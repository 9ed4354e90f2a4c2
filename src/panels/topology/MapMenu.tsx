/**
 * The menu of the map: what can be done with a node, or with all nodes of a leaf. It is loaded at its first use. A drain is Slurm's word for what Kubernetes calls
 * cordon: nothing new starts, what runs may end. Kubernetes' drain sends the jobs away as well: that is an item of its own, a drain and a requeue of each job in one step.
 */
import { DropdownMenu } from "radix-ui";
import { clockText, countText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { NodeStateCode } from "../../model/states.ts";
import { labelsAt } from "../../scenario/labelsAt.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { labelText } from "../../timeline/nodeWords.ts";
import type { MapPlace } from "../../timeline/topologyMap/mapPlaces.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";
import { holderOf } from "./mapWords.ts";

/** Where the menu was asked for, in CSS pixels of the window, and what lay there. */
export interface MapMenuPlace {
  readonly xCss: number;
  readonly yCss: number;
  readonly place: MapPlace;
  /** The device pointed at, −1 = none. */
  readonly device: number;
  readonly state: MapState;
}

interface Item {
  readonly key: string;
  readonly label: string;
  readonly act: () => void;
}

export function MapMenu({
  at,
  onClose,
}: {
  readonly at: MapMenuPlace;
  readonly onClose: () => void;
}) {
  const { cursorMs, scenario } = useApp.getState();
  const items = itemsOf(at, clockText(cursorMs, scenario?.calendarStart));
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span className="map-menu-anchor" style={{ left: at.xCss, top: at.yCss }} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          collisionPadding={8}
          aria-label="What can be done here"
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          {items.map(({ key, label, act }) => (
            <DropdownMenu.Item key={key} className="menu-item" onSelect={act}>
              <span className="menu-label">{label}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Jobs with a device on some nodes, by index. */
function jobsOn({ tree, stage, holders, slices }: MapState, nodes: readonly number[]): number[] {
  const { deviceBase } = tree.cluster;
  const found = new Set<number>();
  for (const node of nodes)
    for (let d = deviceBase[node]!; d < deviceBase[node + 1]!; d++) {
      const parts = slices.get(d)?.map(({ jobIdx }) => jobIdx) ?? [holders.jobOfDevice[d]!];
      for (const jobIdx of parts) if (jobIdx >= 0 && jobIdx < stage.jobs.count) found.add(jobIdx);
    }
  return [...found].sort((a, b) => a - b);
}

/** Labels that some nodes have at the cursor, each set once. */
function labelsOf({ tree: { cluster } }: MapState, nodes: readonly number[]): string {
  const { scenario, cursorMs } = useApp.getState();
  const texts = new Set(
    nodes.map((node) => {
      const { labels } = cluster.groups[cluster.nodeGroup[node]!]!;
      const name = cluster.nodeNames[node]!;
      return labelText({ labels: labelsAt(scenario?.interventions ?? [], name, labels, cursorMs) });
    }),
  );
  texts.delete("");
  return texts.size === 0 ? "none yet" : [...texts].join("; ");
}

function itemsOf({ place, device, state }: MapMenuPlace, when: string): readonly Item[] {
  const { units, cluster } = state.tree;
  const { stage, holders } = state;
  const items: Item[] = [];
  const jobIdx = device < 0 ? -1 : holderOf(state, device);
  if (jobIdx >= 0)
    items.push({
      key: "job",
      label: `Select job ${jobLabel(stage.jobs, jobIdx)}`,
      act: () => run("selectJob", { jobIdx }),
    });
  if (cluster.flat) return items;
  const ofBlock = place.kind === "block";
  const from = ofBlock ? units.blockFirst[place.block]! : place.unit;
  const to = ofBlock ? units.blockFirst[place.block + 1]! : place.unit + 1;
  const nodes = [...new Set(units.unitNode.subarray(from, to))];
  const name = ofBlock
    ? `all ${countText(nodes.length, "node")} of ${units.blockNames[place.block]}`
    : (cluster.nodeNames[nodes[0]!] ?? "");
  if (!ofBlock)
    items.push({
      key: "node",
      label: `Select node ${name}`,
      act: () => run("selectNode", { node: nodes[0]! }),
    });
  const named = (some: readonly number[]) => some.map((node) => cluster.nodeNames[node] ?? "");
  const open = nodes.filter((node) => holders.stateOfNode[node] === NodeStateCode.open);
  const closed = nodes.filter((node) => holders.stateOfNode[node] !== NodeStateCode.open);
  const jobs = jobsOn(state, open);
  const change = (kind: "drain" | "fail" | "resume", word: string, some: readonly number[]) => {
    if (some.length > 0)
      items.push({
        key: kind,
        label: `${word} ${name} at ${when}${kind === "drain" ? ": no new work, what runs may end" : ""}`,
        act: () =>
          run("intervene", {
            intervention: { kind, nodes: named(some) },
            label: `${word} ${name}`,
          }),
      });
  };
  change("drain", "Drain (cordon)", open);
  if (jobs.length > 0)
    items.push({
      key: "evict",
      label: `Drain and evict ${name} at ${when}: what runs there goes back to the queue (${countText(jobs.length, "job")})`,
      act: () =>
        run("intervene", {
          intervention: { kind: "drain", nodes: named(open) },
          also: jobs.map((job) => ({ kind: "requeue", job: nameOf(stage.jobs.ids, job) })),
          label: `Drain and evict ${name}`,
        }),
    });
  change("fail", "Fail", open);
  change("resume", "Resume", closed);
  items.push({
    key: "label",
    label: `Label ${name} from ${when} (${labelsOf(state, nodes)}) …`,
    act: () => {
      if (ofBlock) run("selectLeaf", { leaf: cluster.leafOfNode[nodes[0]!]! });
      else run("selectNode", { node: nodes[0]! });
      run("openSide", { side: "label" });
    },
  });
  return items;
}
