/** The table twin of the map: leaves, NVSwitch domains, nodes, with what is held, what still fits and how full the uplinks are. */
import { useMemo } from "react";
import { NBSP } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { leafTitle } from "../../timeline/nodeWords.ts";
import { type MapRow, mapRows } from "../../timeline/topologyMap/mapRows.ts";
import { mapStateOf } from "../../timeline/topologyMap/mapState.ts";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { unitNamesOf } from "./mapNames.ts";

const MEMORY = columnMemory("places");

export function MapTable({ stage }: { readonly stage: Stage }) {
  const { current } = useRunData();
  const atMs = useCursorMs();
  const selection = useApp((state) => state.selection);
  const state = useMemo(() => mapStateOf(stage), [stage]);
  const rows = useMemo(() => {
    state.update(current);
    while (state.step(64));
    state.read(atMs);
    return mapRows(state);
  }, [state, current, atMs]);
  const columns = useMemo(() => columnsOf(state), [state]);
  const { units, cluster } = state.tree;
  const nodeOf = (row: MapRow) =>
    row.kind === "node" && row.place.kind === "unit" ? units.unitNode[row.place.unit]! : -1;
  return (
    <DataGrid
      label="Places of the cluster at the cursor"
      columns={columns}
      rows={rows}
      leastCss={640}
      keyOf={keyOf}
      noun="place"
      memory={MEMORY}
      isSelected={(row) => selection?.kind === "node" && nodeOf(row) === selection.node}
      onPick={(row) => {
        const node = nodeOf(row);
        if (node >= 0 && !cluster.flat) run("selectNode", { node });
      }}
    />
  );
}

function columnsOf(state: ReturnType<typeof mapStateOf>): readonly GridColumn<MapRow>[] {
  const { units, cluster } = state.tree;
  const names = unitNamesOf(state);
  const nameOf = (row: MapRow): string => {
    if (row.kind === "domain") return `NVSwitch domain ${row.domain + 1}`;
    if (row.place.kind === "unit") return names[row.place.unit]!;
    const name = cluster.leafNames[row.place.block] ?? "";
    if (!units.leaves) return `Nodes ${units.blockNames[row.place.block]}`;
    return leafTitle(name);
  };
  const number = (
    id: "fits" | "onOneNode" | "wholeNodes",
    label: string,
    width: string,
  ): GridColumn<MapRow> => ({
    id,
    label,
    width,
    right: true,
    value: (row) => row[id],
    text: (row) => String(row[id]),
  });
  return [
    {
      id: "place",
      label: "Place",
      width: "minmax(120px, 2fr)",
      look: (row) => `map-row-${row.kind}`,
      text: nameOf,
    },
    {
      id: "kind",
      label: "Kind",
      width: "80px",
      hidden: true,
      groups: true,
      value: (row) => row.kind,
      text: (row) => row.kind,
    },
    {
      id: "held",
      label: "Held",
      width: "84px",
      right: true,
      value: (row) => row.held,
      text: (row) => `${row.held} of ${row.devices}`,
    },
    number("fits", "Fits", "64px"),
    number("onOneNode", "On one node", "92px"),
    number("wholeNodes", "Whole nodes", "92px"),
    {
      id: "uplink",
      label: "Uplinks",
      width: "72px",
      right: true,
      unit: "%",
      value: (row) => row.uplink * 100,
      file: (row) => (row.uplink < 0 ? "" : row.uplink * 100),
      text: (row) => (row.uplink < 0 ? "" : `${Math.round(row.uplink * 100)}${NBSP}%`),
    },
    {
      id: "state",
      label: "State",
      width: "minmax(80px, 1fr)",
      look: "quiet",
      groups: true,
      value: (row) => row.state,
      text: (row) => (row.state === "open" ? "" : row.state),
    },
  ];
}

/** Nodes, domains and leaves apart. */
function keyOf(row: MapRow): number {
  const at = row.place.kind === "unit" ? row.place.unit : row.place.block;
  return at * 3 + (row.kind === "leaf" ? 0 : row.kind === "domain" ? 1 : 2);
}
