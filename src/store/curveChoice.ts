/** Which curve each half of the strip draws; the device remembers. Ids of curves that a run does not have are kept for runs that do. */
import { useSyncExternalStore } from "react";
import { type CurveId, isCurveId } from "../timeline/curves/curveIds.ts";
import { dropDevice, readDevice, writeDevice } from "./device.ts";

export const CURVE_SLOTS = ["held", "waited"] as const;
/** Named after what they draw at first, which the strip draws itself. */
export type CurveSlot = (typeof CURVE_SLOTS)[number];

const keyOf = (slot: CurveSlot) => `queuescope.curve.${slot}`;
const listeners = new Set<() => void>();
const chosen = new Map<CurveSlot, CurveId>();

export function curveChoice(slot: CurveSlot): CurveId {
  let id = chosen.get(slot);
  if (id === undefined) {
    const kept = readDevice(keyOf(slot)) ?? "";
    id = isCurveId(kept) ? kept : slot;
    chosen.set(slot, id);
  }
  return id;
}

export function chooseCurve(slot: CurveSlot, id: CurveId): void {
  if (id === slot) dropDevice(keyOf(slot));
  else writeDevice(keyOf(slot), id);
  showCurve(slot, id);
}

/** For this visit: what a link brings does not take the place of what the device remembers. */
export function showCurve(slot: CurveSlot, id: CurveId): void {
  chosen.set(slot, id);
  for (const listener of listeners) listener();
}

export function watchCurves(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCurveChoice(slot: CurveSlot): CurveId {
  return useSyncExternalStore(watchCurves, () => curveChoice(slot));
}
