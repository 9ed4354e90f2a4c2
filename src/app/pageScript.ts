/**
 * The movements that `?bench=page` offers: pan at three widths, zoom in and out, play, leaps (every frame another place: all is painted anew), over the run that is
 * open, and three cameras: near (40 nodes open), middle (a pixel a GPU), far (every row a strip). Each frame is shown when it is asked for, so
 * that what measures it can read its clock before and after.
 */
import type { Scenario } from "../scenario/schema.ts";
import { setWindow, timeBounds } from "../store/camera.ts";
import { editDocument } from "../store/documents.ts";
import type { BenchScript } from "../store/queuescopeApi.ts";
import { runData } from "../store/runData.ts";
import type { AppState } from "../store/state.ts";
import { useApp } from "../store/store.ts";

/** Nodes that the near camera opens. */
const NEAR_NODES = 40;
/** Times that the zooms go in. */
const ZOOM = 400;

/** Middle and width of the window as shares of the run, or the place of the cursor, at share `t` of the movement. */
type Movement = (t: number) => { readonly middle: number; readonly width: number } | number;

const MOVEMENTS: Readonly<Record<string, Movement>> = {
  "pan, half of the run": (t) => ({ middle: 0.3 + 0.3 * t, width: 0.5 }),
  "pan, a tenth": (t) => ({ middle: 0.4 + 0.1 * t, width: 0.1 }),
  "pan, a hundredth": (t) => ({ middle: 0.5 + 0.01 * t, width: 0.01 }),
  "zoom in": (t) => ({ middle: 0.47, width: 1 / ZOOM ** t }),
  "zoom out": (t) => ({ middle: 0.53, width: 1 / ZOOM ** (1 - t) }),
  leaps: (t) => ({ middle: 0.1 + 0.8 * ((t * 7_919) % 1), width: 0.1 }),
  play: (t) => 0.3 + 0.4 * t,
};

export const pageScript: BenchScript = {
  movements: Object.keys(MOVEMENTS),
  camera: (name) => useApp.setState({ leafLevels: levelsOf(name) }),
  look: (fromMs, toMs) => setWindow({ fromMs, toMs }),
  edit: (interventions) => {
    const { scenario } = useApp.getState();
    if (!scenario) return Promise.resolve(false);
    const changes = interventions as Scenario["interventions"];
    return editDocument({ ...scenario, interventions: changes }, "Changes");
  },
  show: (movement, share) => {
    const { toMs } = timeBounds();
    const at = MOVEMENTS[movement]?.(share);
    if (typeof at === "number") useApp.setState({ cursorMs: Math.floor(at * toMs) });
    else if (at !== undefined) {
      const half = at.width / 2;
      setWindow({ fromMs: (at.middle - half) * toMs, toMs: (at.middle + half) * toMs });
    }
    return nextFrame();
  },
};

/** Resolves when the frame that was asked for is drawn; a zoom may still be sharpened later. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

/** What each leaf of the cluster is drawn as. */
function levelsOf(camera: "near" | "middle" | "far"): AppState["leafLevels"] {
  const { stage } = runData.get();
  const leaves = stage?.cluster.leafCount ?? 0;
  const perLeaf = Math.max(1, (stage?.cluster.nodeCount ?? 0) / Math.max(1, leaves));
  const open = camera === "near" ? NEAR_NODES / perLeaf : camera === "middle" ? leaves : 0;
  const level = camera === "near" ? 2 : 1;
  return Object.fromEntries(
    Array.from({ length: leaves }, (_, leaf) => [leaf, leaf < open ? level : 0]),
  );
}
