/** The table twin of the map: leaves, NVSwitch domains, nodes, with what is held, what still fits and how full the uplinks are. */
import { useMemo, useState } from "react";
import { NBSP } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { type MapRow, mapRows } from "../../timeline/topologyMap/mapRows.ts";
import { mapStateOf } from "../../timeline/topologyMap/mapState.ts";
import { Cell, type GridColumn, RowGrid } from "../../ui/RowGrid.tsx";
import { unitNamesOf } from "./mapNames.ts";

const COLUMNS: readonly (GridColumn & { readonly value?: (row: MapRow) => number })[] = [
  { id: "place", label: "Place", sortable: false },
  { id: "held", label: "Held", right: true, sortable: true, value: ({ held }) => held },
  { id: "free", label: "Fits", right: true, sortable: true, value: ({ fits }) => fits },
  {
    id: "node",
    label: "On one node",
    right: true,
    sortable: true,
    value: ({ onOneNode }) => onOneNode,
  },
  {
    id: "whole",
    label: "Whole nodes",
    right: true,
    sortable: true,
    value: ({ wholeNodes }) => wholeNodes,
  },
  { id: "uplink", label: "Uplinks", right: true, sortable: true, value: ({ uplink }) => uplink },
  { id: "state", label: "State", sortable: false },
];
const TEMPLATE = "minmax(120px, 2fr) 84px 64px 92px 92px 72px minmax(80px, 1fr)";

export function MapTable({ stage }: { readonly stage: Stage }) {
  const { current } = useRunData();
  const atMs = useCursorMs();
  const [sort, setSort] = useState<{ id: string; desc: boolean } | undefined>();
  const selection = useApp((state) => state.selection);
  const state = useMemo(() => mapStateOf(stage), [stage]);
  const rows = useMemo(() => {
    state.update(current);
    while (state.step(64));
    state.read(atMs);
    return mapRows(state);
  }, [state, current, atMs]);
  const sorted = useMemo(() => {
    const value = COLUMNS.find(({ id }) => id === sort?.id)?.value;
    if (!sort || !value) return rows;
    return [...rows].sort((a, b) => (sort.desc ? value(b) - value(a) : value(a) - value(b)));
  }, [rows, sort]);
  const { units, cluster } = state.tree;
  const names = unitNamesOf(state);
  const nodeOf = (row: MapRow) =>
    row.kind === "node" && row.place.kind === "unit" ? units.unitNode[row.place.unit]! : -1;
  const nameOf = (row: MapRow): string => {
    if (row.kind === "domain") return `NVSwitch domain ${row.domain + 1}`;
    if (row.place.kind === "unit") return names[row.place.unit]!;
    const name = cluster.leafNames[row.place.block] ?? "";
    if (!units.leaves) return `Nodes ${units.blockNames[row.place.block]}`;
    return name.startsWith("leaf ") ? `Leaf ${name.slice(5)}` : `Leaf ${name}`;
  };
  return (
    <RowGrid
      label="Places of the cluster at the cursor"
      columns={COLUMNS}
      template={TEMPLATE}
      leastCss={640}
      rowCount={sorted.length}
      keyOf={(i) => keyOf(sorted[i]!)}
      isSelected={(i) => selection?.kind === "node" && nodeOf(sorted[i]!) === selection.node}
      sort={sort}
      onSort={(id) =>
        setSort((was) => (was?.id === id ? { id, desc: !was.desc } : { id, desc: true }))
      }
      onPick={(i) => {
        const node = nodeOf(sorted[i]!);
        if (node >= 0 && !cluster.flat) run("selectNode", { node });
      }}
      cells={(i) => {
        const row = sorted[i]!;
        return (
          <>
            <Cell look={`map-row-${row.kind}`} title={nameOf(row)}>
              {nameOf(row)}
            </Cell>
            <Cell look="number">
              {row.held} of {row.devices}
            </Cell>
            <Cell look="number">{row.fits}</Cell>
            <Cell look="number">{row.onOneNode}</Cell>
            <Cell look="number">{row.wholeNodes}</Cell>
            <Cell look="number">
              {row.uplink < 0 ? "" : `${Math.round(row.uplink * 100)}${NBSP}%`}
            </Cell>
            <Cell look="quiet">{row.state === "open" ? "" : row.state}</Cell>
          </>
        );
      }}
    />
  );
}

/** Nodes, domains and leaves apart. */
function keyOf(row: MapRow): number {
  const at = row.place.kind === "unit" ? row.place.unit : row.place.block;
  return at * 3 + (row.kind === "leaf" ? 0 : row.kind === "domain" ? 1 : 2);
}
