/**
 * The line beside a part of the page as a handle: drag it, or move it with the arrow keys; a double click or Enter brings the usual
 * size back. Nothing of a drag is React state: it writes one custom property, and what stands at its end is kept.
 */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { PARTS, type SizedPart, setSize, useLayout, within } from "../../store/layout.ts";

const STEP_PX = 16;

interface Props {
  readonly part: SizedPart;
  readonly label: string;
  /** Across: the line stands upright and changes a width. */
  readonly across?: boolean;
}

export function SizeHandle({ part, label, across = false }: Props) {
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef<{ at: number; px: number } | null>(null);
  const own = useLayout((state) => state.sizes[part]);
  const { leastPx, mostPx } = PARTS[part];

  const page = () => handle.current?.closest<HTMLElement>(".app") ?? null;
  /** Type of another size makes strips higher; what is kept is their height at size 1. */
  const unit = () => {
    const text = across || !page() ? "" : getComputedStyle(page()!).getPropertyValue("--u");
    return Number.parseFloat(text) || 1;
  };
  const sizeNow = () => {
    const box = handle.current?.parentElement;
    return ((across ? box?.offsetWidth : box?.offsetHeight) ?? 0) / unit();
  };
  const tell = () => handle.current?.setAttribute("aria-valuenow", String(within(part, sizeNow())));
  const show = (px: number) => {
    page()?.style.setProperty(`--${part}-own`, `${within(part, px)}px`);
    tell();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page is told changes with the size alone.
  useLayoutEffect(() => {
    if (own !== undefined) show(own);
    else {
      page()?.style.removeProperty(`--${part}-own`);
      tell();
    }
  }, [own]);

  const along = (event: PointerEvent) => (across ? event.clientX : event.clientY);
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    drag.current = { at: along(event), px: sizeNow() };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (drag.current) show(drag.current.px + (drag.current.at - along(event)) / unit());
  };
  const onUp = (event: PointerEvent) => {
    if (drag.current && drag.current.at !== along(event)) setSize(part, sizeNow());
    drag.current = null;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const px = sizeNow();
    const [more, less] = across ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const wanted = { [more!]: px + STEP_PX, [less!]: px - STEP_PX, Home: leastPx, End: mostPx }[
      event.key
    ];
    if (wanted === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    setSize(part, wanted ?? null);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={handle}
      className={across ? "inspector-handle" : "strip-handle"}
      role="separator"
      tabIndex={0}
      aria-orientation={across ? "vertical" : "horizontal"}
      aria-label={label}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      aria-valuenow={leastPx}
      title="Drag to resize; double click for the usual size"
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onDoubleClick={() => setSize(part, null)}
      onKeyDown={onKey}
      onFocus={tell}
    />
  );
}
