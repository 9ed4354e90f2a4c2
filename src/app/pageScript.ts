/**
 * The movements that `?bench=page` offers: pan at three widths, zoom in and out, play, over the run that is open. Each frame is
 * shown when it is asked for, so that what measures it can read its clock before and after.
 */
import { setWindow, timeBounds } from "../store/camera.ts";
import type { BenchScript } from "../store/queuescopeApi.ts";
import { useApp } from "../store/store.ts";

const FRAMES = 40;
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
  play: (t) => 0.3 + 0.4 * t,
};

export const pageScript: BenchScript = {
  movements: Object.keys(MOVEMENTS),
  frames: FRAMES,
  look: (fromMs, toMs) => setWindow({ fromMs, toMs }),
  show: (movement, index) => {
    const { toMs } = timeBounds();
    const at = MOVEMENTS[movement]?.(index / FRAMES);
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
