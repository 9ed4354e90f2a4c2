/**
 * The cluster as a map, at the cursor: spines, leaves, nodes, devices, coloured by what is asked about. React renders the frame, the choice of colours and the
 * legend; the map is canvases that follow the store by themselves. The table twin is `MapTable`.
 */
import {
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { countText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { useTiersWithJobs } from "../../store/tiersWithJobs.ts";
import { useRunData } from "../../store/useRun.ts";
import { onPalette, palette } from "../../theme/palette.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";
import { focusAfterMenu } from "../../ui/menuFocus.ts";
import { Select } from "../../ui/Select.tsx";
import type { MapMenuPlace } from "./MapMenu.tsx";
import { COLOUR_MODES, type ColourMode, legendOf, MODE_LABELS } from "./mapColours.ts";
import { MapInput } from "./mapInput.ts";
import { MapPainter } from "./mapPainter.ts";
import { PlacementLine } from "./PlacementLine.tsx";
import "./map.css";

const MapMenu = lazy(async () => ({ default: (await import("./MapMenu.tsx")).MapMenu }));
const MapTable = lazy(async () => ({ default: (await import("./MapTable.tsx")).MapTable }));

/** `closes`: it has the button that closes it. */
export function TopologyPanel({ closes = false }: { readonly closes?: boolean }) {
  const painter = useRef<MapPainter | null>(null);
  const [mode, setMode] = useState<ColourMode>("tier");
  const table = useShell((state) => state.mapTable);
  const { stage } = useRunData();
  const hasNetwork = useApp((state) => state.scenario?.cluster.network !== undefined);
  const shown: ColourMode = mode === "contention" && !hasNetwork ? "tier" : mode;

  if (!stage) return <Message title="No run yet." />;
  return (
    <section className="map-panel" aria-label="Map of the cluster">
      <header className="map-head">
        <strong className="map-title">Cluster at the cursor</strong>
        <ModeSelect
          mode={shown}
          hasNetwork={hasNetwork}
          teams={stage.teams.length > 1}
          onChange={setMode}
        />
        <Legend mode={shown} />
        <span className="map-buttons">
          {!table && (
            <>
              <Button
                label="Zoom out"
                look="plain"
                onClick={() => painter.current?.zoomBy(1 / 1.5)}
              >
                −
              </Button>
              <Button label="Zoom in" look="plain" onClick={() => painter.current?.zoomBy(1.5)}>
                +
              </Button>
              <Button label="Fit" look="plain" onClick={() => painter.current?.fit()} />
            </>
          )}
          <Button
            label={table ? "Map" : "Table"}
            look="plain"
            onClick={() => useShell.setState({ mapTable: !table })}
          />
          {closes && (
            <Button
              label="Close"
              look="plain"
              keys="N"
              onClick={() => run("toggleDrawer", { drawer: "map" })}
            />
          )}
        </span>
      </header>
      <PlacementLine stage={stage} />
      {table ? (
        <Suspense>
          <MapTable stage={stage} />
        </Suspense>
      ) : (
        <MapGround stage={stage} mode={shown} painter={painter} />
      )}
    </section>
  );
}

const NOTHING = { place: null, device: -1 };

interface GroundProps {
  readonly stage: Stage;
  readonly mode: ColourMode;
  readonly painter: RefObject<MapPainter | null>;
}

/** The canvases, and what has the focus above them. */
function MapGround({ stage, mode, painter }: GroundProps) {
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const live = useRef<HTMLDivElement>(null);
  const input = useRef<MapInput | null>(null);
  const [menu, setMenu] = useState<MapMenuPlace | null>(null);
  useEffect(() => {
    if (!base.current || !over.current || !ground.current || !tip.current || !live.current) return;
    const made = new MapPainter(base.current, over.current);
    const parts = { ground: ground.current, tip: tip.current, live: live.current };
    const hands = new MapInput(made, parts);
    painter.current = made;
    input.current = hands;
    return () => {
      hands.stop();
      made.stop();
      input.current = null;
      painter.current = null;
    };
  }, [painter]);
  useEffect(() => painter.current?.colourBy(mode), [painter, mode]);
  const { nodeCount, deviceCount, deviceWord } = stage.cluster;
  return (
    <div className="map-body">
      <canvas ref={base} />
      <canvas ref={over} />
      <div
        ref={ground}
        className="map-ground"
        role="application"
        aria-label={`Map of the cluster: ${countText(nodeCount, "node")}, ${countText(deviceCount, deviceWord)}. Arrow keys move from node to node and up to the switches, Enter selects, plus and minus zoom. The table has the same in rows.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map has its own keyboard cursor.
        tabIndex={0}
        onContextMenu={(event) => {
          event.preventDefault();
          const { place, device } = input.current?.target ?? NOTHING;
          const state = painter.current?.state;
          if (!place || !state) return;
          input.current?.hideTip();
          setMenu({ xCss: event.clientX, yCss: event.clientY, place, device, state });
        }}
      />
      {menu && (
        <Suspense fallback={null}>
          <MapMenu
            at={menu}
            onClose={() => {
              setMenu(null);
              focusAfterMenu(ground.current);
            }}
          />
        </Suspense>
      )}
      <div ref={tip} className="map-tip" aria-hidden="true" />
      <div ref={live} className="map-live" role="status" aria-live="polite" />
    </div>
  );
}

interface ModeProps {
  readonly mode: ColourMode;
  readonly hasNetwork: boolean;
  readonly teams: boolean;
  readonly onChange: (mode: ColourMode) => void;
}

function ModeSelect({ mode, hasNetwork, teams, onChange }: ModeProps) {
  const options = COLOUR_MODES.map((value) => {
    const reason =
      value === "contention" && !hasNetwork
        ? ": the scenario models no network"
        : value === "team" && !teams
          ? ": there is one team"
          : "";
    return { value, label: `${MODE_LABELS[value]}${reason}`, disabled: reason !== "" };
  });
  return (
    <span className="map-mode">
      <span aria-hidden="true">Colour</span>
      <Select label="Colour the map by" bare value={mode} options={options} onChange={onChange} />
    </span>
  );
}

function Legend({ mode }: { readonly mode: ColourMode }) {
  const { stage } = useRunData();
  const colours = useSyncExternalStore(onPalette, palette);
  const tiers = useTiersWithJobs(stage);
  const entries = useMemo(
    () => (stage ? legendOf(mode, stage, tiers, colours) : []),
    [mode, stage, tiers, colours],
  );
  return (
    <ul className="map-legend" aria-label="What the colours mean">
      {entries.map(({ label, colour }) => (
        <li key={label}>
          <span className="map-swatch" style={{ background: colour }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
