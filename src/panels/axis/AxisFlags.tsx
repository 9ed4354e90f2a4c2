/**
 * The flags of changes: buttons that go to the time. Dragged, or pushed with the arrow keys (a minute, with Shift an hour), they move their change;
 * Escape lets it be. Pushes that follow each other are one step of undo. Flags of changes that are off are hollow.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { clockText } from "../../base/format.ts";
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { Intervention } from "../../scenario/schema.ts";
import { timeBounds } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { timeMsAt } from "../../timeline/viewport.ts";
import { flagMs, showFlagAt, snapped } from "./flagMove.ts";

const CHANGE_WORDS: Readonly<Record<Intervention["kind"], string>> = {
  policy: "policy changed",
  inject: "job injected",
  cancel: "job cancelled",
  retier: "job moved to another tier",
  drain: "nodes drained",
  resume: "nodes resumed",
  fail: "nodes failed",
  label: "nodes labelled",
  hold: "job held",
  release: "job released",
  requeue: "job requeued",
  suspend: "job suspended",
  unsuspend: "job resumed",
  update: "job changed",
  top: "job moved to the top",
  reserve: "nodes reserved",
  unreserve: "reservation deleted",
};

/** Less is a click. */
const DRAG_PX = 4;
/** Arrow presses with shorter pauses are one move. */
const REST_MS = 600;

interface FlagsProps {
  readonly changes: readonly Intervention[];
  readonly calendar: string | undefined;
  /** Places the flags in the next frame. */
  readonly refresh: () => void;
}

export function AxisFlags({ changes, calendar, refresh }: FlagsProps) {
  // Flags that React just made stand nowhere: the painter places them in the next frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes are other flags.
  useEffect(() => refresh(), [changes, refresh]);
  return changes.map((change, index) => (
    <Flag
      // biome-ignore lint/suspicious/noArrayIndexKey: a change is known by its place in the list.
      key={index}
      change={change}
      index={index}
      calendar={calendar}
      refresh={refresh}
    />
  ));
}

interface FlagProps {
  readonly change: Intervention;
  readonly index: number;
  readonly calendar: string | undefined;
  readonly refresh: () => void;
}

function Flag({ change, index, calendar, refresh }: FlagProps) {
  const element = useRef<HTMLButtonElement>(null);
  /** Where it was taken hold of. */
  const gripX = useRef<number | null>(null);
  const dragged = useRef(false);
  const timer = useRef(0);
  const show = (atMs: number | null) => {
    showFlagAt(atMs === null ? null : { index, atMs });
    if (element.current) {
      if (atMs === null) delete element.current.dataset.time;
      else element.current.dataset.time = clockText(atMs, calendar);
    }
    refresh();
  };
  const settle = () => {
    clearTimeout(timer.current);
    timer.current = 0;
    const atMs = flagMs(change, index);
    show(null);
    if (atMs !== change.atMs) run("moveIntervention", { index, atMs });
  };
  // A flag that goes takes its move with it.
  useEffect(() => () => clearTimeout(timer.current), []);

  const onDown = (event: PointerEvent<HTMLButtonElement>) => {
    event.stopPropagation();
    if (event.button !== 0) return;
    gripX.current = event.clientX;
    dragged.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent<HTMLButtonElement>) => {
    const plot = event.currentTarget.parentElement;
    if (gripX.current === null || !plot) return;
    event.stopPropagation();
    if (!dragged.current && Math.abs(event.clientX - gripX.current) < DRAG_PX) return;
    dragged.current = true;
    const { window } = useApp.getState();
    const box = plot.getBoundingClientRect();
    const atMs = timeMsAt(event.clientX - box.left, window, box.width);
    show(snapped(atMs, window.toMs - window.fromMs, mostMs(), calendar));
  };
  const onUp = (event: PointerEvent<HTMLButtonElement>) => {
    event.stopPropagation();
    const wasDragged = gripX.current !== null && dragged.current;
    gripX.current = null;
    if (wasDragged) settle();
  };
  const onClick = () => {
    if (timer.current !== 0) settle();
    else if (!dragged.current) run("seek", { atMs: change.atMs });
    dragged.current = false;
  };
  const onKey = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moving = (gripX.current !== null && dragged.current) || timer.current !== 0;
    if (key === "Escape" && moving) {
      gripX.current = null;
      clearTimeout(timer.current);
      timer.current = 0;
      show(null);
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      const byMs = (key === "ArrowLeft" ? -1 : 1) * (shiftKey ? HOUR_MS : MINUTE_MS);
      dragged.current = false;
      show(Math.min(mostMs(), Math.max(0, flagMs(change, index) + byMs)));
      clearTimeout(timer.current);
      timer.current = window.setTimeout(settle, REST_MS);
    } else if (key === "Delete" || key === "Backspace") run("removeIntervention", { index });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const said = `${CHANGE_WORDS[change.kind]}${change.off ? ", off" : ""}, ${clockText(change.atMs, calendar)}`;
  return (
    <button
      ref={element}
      type="button"
      className="axis-flag"
      data-off={change.off}
      aria-label={`Change ${index + 1}: ${said}. Go there`}
      aria-keyshortcuts="ArrowLeft ArrowRight Delete"
      title={`${index + 1}: ${said}. Drag it, or push it with ← and →, to move the change.`}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={() => {
        gripX.current = null;
        show(null);
      }}
      onClick={onClick}
      onBlur={() => {
        if (timer.current !== 0) settle();
      }}
      onKeyDown={onKey}
    >
      {index + 1}
    </button>
  );
}

/** No change lies behind the end of the run. */
function mostMs(): number {
  return useApp.getState().scenario?.horizonMs ?? timeBounds().toMs;
}
