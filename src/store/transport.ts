/**
 * Playing is moving the cursor through a record that is already there. The cursor moves in the frame loop, in simulated time;
 * nothing of React runs a frame. When the cursor leaves the window the window follows; where the record is not computed yet the
 * cursor waits for it.
 */
import { frameLoop } from "../render/frameLoop.ts";
import { clampWindow } from "../timeline/viewport.ts";
import { timeBounds } from "./camera.ts";
import { nextEventMs } from "./eventTimes.ts";
import { runData } from "./runData.ts";
import { useApp } from "./store.ts";

/** "Whole run in 20 s". */
const WHOLE_RUN_SEC = 20;
/** With reduced motion, play goes from event to event, so often. */
const STEP_EVERY_MS = 500;

/** Simulated ms a wall-clock ms at the chosen speed. */
function ratePerMs(speed: number): number {
  if (speed > 0) return speed / 1_000;
  return timeBounds().toMs / (WHOLE_RUN_SEC * 1_000);
}

const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

let stop: (() => void) | null = null;

export function play(): void {
  const { cursorMs, playing } = useApp.getState();
  const { current, stage } = runData.get();
  if (playing || !stage) return;
  if (current.done && cursorMs >= current.endMs) useApp.setState({ cursorMs: 0 });
  useApp.setState({ playing: true });
  if (reducedMotion()) {
    const timer = setInterval(stepByEvent, STEP_EVERY_MS);
    stop = () => clearInterval(timer);
    return;
  }
  let lastMs: number | null = null;
  stop = frameLoop.animate((nowMs) => {
    // A tab that was hidden goes on where it was, it does not jump.
    const passedMs = lastMs === null ? 0 : Math.min(100, nowMs - lastMs);
    lastMs = nowMs;
    return advance(passedMs);
  });
}

export function pause(): void {
  stop?.();
  stop = null;
  if (useApp.getState().playing) {
    useApp.setState(({ cursorMs }) => ({ playing: false, cursorMs: Math.round(cursorMs) }));
  }
}

/** One frame of play; false at the end. */
function advance(passedMs: number): boolean {
  const { cursorMs, speed, playing } = useApp.getState();
  if (!playing) return false;
  const { current } = runData.get();
  const wanted = cursorMs + passedMs * ratePerMs(speed);
  const limit = current.done ? current.endMs : current.knownMs;
  moveCursor(Math.min(wanted, limit));
  if (current.done && wanted >= limit) {
    pause();
    return false;
  }
  return true;
}

function stepByEvent(): void {
  const { stage, current } = runData.get();
  const next = stage ? nextEventMs(stage, current, useApp.getState().cursorMs) : null;
  if (next !== null) moveCursor(next);
  else if (current.done) pause();
}

/** Moves the cursor and lets the window follow it. */
export function moveCursor(atMs: number): void {
  const { window } = useApp.getState();
  if (atMs >= window.fromMs && atMs <= window.toMs) {
    useApp.setState({ cursorMs: atMs });
    return;
  }
  const span = window.toMs - window.fromMs;
  const fromMs = atMs > window.toMs ? atMs - span / 8 : atMs - (span * 7) / 8;
  useApp.setState({
    cursorMs: atMs,
    window: clampWindow({ fromMs, toMs: fromMs + span }, timeBounds()),
  });
}

/** Puts the cursor at a time inside the run. */
export function seek(atMs: number): void {
  const { toMs } = timeBounds();
  moveCursor(Math.round(Math.min(Math.max(0, atMs), toMs)));
}
