/**
 * The line between sheet and inspector as a handle: drag it, or move it with the arrow keys; a double click or Enter brings the usual
 * width back. The width is kept on this device. Nothing of it is React state: a drag writes one custom property.
 */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { dropDevice, readDevice, writeDevice } from "../store/device.ts";

const KEY = "queuescope.inspectorWidth";
const PROPERTY = "--inspector-own";
export const LEAST_PX = 262;
export const MOST_PX = 520;
const STEP_PX = 16;

/** Width wanted, in CSS pixels, kept to what can be used. */
function within(px: number): number {
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, px)));
}

export function InspectorHandle() {
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; px: number } | null>(null);

  const column = () => handle.current?.parentElement ?? null;
  const page = () => handle.current?.closest<HTMLElement>(".app") ?? null;
  const tell = () => {
    const px = column()?.offsetWidth ?? 0;
    handle.current?.setAttribute("aria-valuenow", String(within(px)));
  };
  const show = (px: number) => {
    page()?.style.setProperty(PROPERTY, `${within(px)}px`);
    tell();
  };
  const keep = () => writeDevice(KEY, String(within(column()?.offsetWidth ?? LEAST_PX)));
  const usual = () => {
    page()?.style.removeProperty(PROPERTY);
    dropDevice(KEY);
    tell();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the page is made.
  useLayoutEffect(() => {
    const kept = Number(readDevice(KEY) ?? Number.NaN);
    if (Number.isFinite(kept)) show(kept);
    else tell();
  }, []);

  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, px: column()?.offsetWidth ?? LEAST_PX };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (drag.current) show(drag.current.px + drag.current.x - event.clientX);
  };
  const onUp = (event: PointerEvent) => {
    if (drag.current && drag.current.x !== event.clientX) keep();
    drag.current = null;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const px = column()?.offsetWidth ?? LEAST_PX;
    const wanted = {
      ArrowLeft: px + STEP_PX,
      ArrowRight: px - STEP_PX,
      Home: LEAST_PX,
      End: MOST_PX,
    }[event.key];
    if (wanted === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (wanted === undefined) usual();
    else {
      show(wanted);
      keep();
    }
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={handle}
      className="inspector-handle"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      aria-valuenow={LEAST_PX}
      title="Drag to resize; double click for the usual width"
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onDoubleClick={usual}
      onKeyDown={onKey}
      onFocus={tell}
    />
  );
}
