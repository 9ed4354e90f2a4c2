/** Which curve each half of the strip draws; the device remembers. Ids of curves that a run does not have are kept for runs that do. */
import { useSyncExternalStore } from "react";
import { readDevice, writeDevice } from "../../store/device.ts";
import { type CurveId, isCurveId } from "../../timeline/curves/curveList.ts";

export const CURVE_SLOTS = ["held", "waited"] as const;
/** Named after what they draw at first, which the strip draws itself. */
export type CurveSlot = (typeof CURVE_SLOTS)[number];

const keyOf = (slot: CurveSlot) => `queuescope.curve.${slot}`;
const listeners = new Set<() => void>();
const chosen = new Map<CurveSlot, CurveId>();

function choiceOf(slot: CurveSlot): CurveId {
  let id = chosen.get(slot);
  if (id === undefined) {
    const kept = readDevice(keyOf(slot)) ?? "";
    id = isCurveId(kept) ? kept : slot;
    chosen.set(slot, id);
  }
  return id;
}

export function chooseCurve(slot: CurveSlot, id: CurveId): void {
  chosen.set(slot, id);
  writeDevice(keyOf(slot), id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCurveChoice(slot: CurveSlot): CurveId {
  return useSyncExternalStore(subscribe, () => choiceOf(slot));
}
