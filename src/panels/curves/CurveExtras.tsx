/**
 * What the curves strip has beyond its first picture: the choosers of both halves, the curves that were chosen, and the brush. It lies over the strip, so that
 * the first load need not carry it.
 */
import { useEffect, useRef, useSyncExternalStore } from "react";
import {
  CURVE_SLOTS,
  type CurveSlot,
  chooseCurve,
  useCurveChoice,
} from "../../store/curveChoice.ts";
import { handsOnTime } from "../../store/timeHands.ts";
import { useRunData } from "../../store/useRun.ts";
import type { CurveId } from "../../timeline/curves/curveIds.ts";
import { curveChoices } from "../../timeline/curves/curveList.ts";
import { Select } from "../../ui/Select.tsx";
import { ChosenCurve } from "./ChosenCurve.tsx";
import { brushOver } from "./curveBrush.ts";
import "./curveExtras.css";

export function CurveExtras() {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = own.current?.parentElement;
    const plot = strip?.querySelector<HTMLElement>(".strip-plot");
    if (!strip || !plot) return;
    const stops = [brushOver(strip), handsOnTime(strip, { plot })];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <div className="curve-extras" ref={own}>
      {CURVE_SLOTS.map((slot) => (
        <Slot key={slot} slot={slot} />
      ))}
    </div>
  );
}

const NAMES: Readonly<Record<CurveSlot, string>> = {
  held: "Which curve is drawn above",
  waited: "Which curve is drawn below",
};

/** From here on down the gutter is narrow. */
const NARROW = matchMedia("(max-width: 1100px)");

function watchNarrow(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

function Slot({ slot }: { readonly slot: CurveSlot }) {
  const { stage, current } = useRunData();
  const id = useCurveChoice(slot);
  const narrow = useSyncExternalStore(watchNarrow, () => NARROW.matches);
  if (!stage) return null;
  const choices = curveChoices(stage, current.chunks);
  // What this run does not have is drawn by none of it: the strip's own picture is there instead.
  const known = choices.some((choice) => choice.id === id) ? id : slot;
  const chooser = (
    <Select<CurveId>
      label={NAMES[slot]}
      bare
      className="select curve-pick"
      value={known}
      options={choices.map((choice) => ({
        value: choice.id,
        label: narrow ? choice.short : choice.label,
      }))}
      onChange={(next) => chooseCurve(slot, next)}
    />
  );
  const chosen = choices.find((choice) => choice.id === known);
  return (
    <div className="curve-slot" data-slot={slot} data-chosen={known === slot ? undefined : ""}>
      {known === slot ? (
        <div className="curve-pick-only">{chooser}</div>
      ) : (
        <ChosenCurve key={known} id={known} label={chosen?.label ?? ""} chooser={chooser} />
      )}
    </div>
  );
}
