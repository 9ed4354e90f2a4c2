/**
 * The layout: widths and heights that the reader gave to parts of the page, and which curves are drawn. The device remembers it; on wish it
 * travels in the link, as `y=1.i<inspector>.q<queues>.k<curves>.a<curve>.b<curve>` with sizes in base 36 and nothing for what is as usual.
 * What a link brings holds for the visit and stays in its address; only what the reader moves is remembered. A layout that cannot
 * be read is passed over: it never blocks a good scenario.
 */
import { create } from "zustand";
import { isCurveId } from "../timeline/curves/curveIds.ts";
import { CURVE_SLOTS, chooseCurve, curveChoice, showCurve } from "./curveChoice.ts";
import { dropDevice, readDevice, writeDevice } from "./device.ts";

/** Least, most and usual size in CSS pixels at the size of type 1. Without a usual one the style says it. */
export const PARTS = {
  inspector: { key: "queuescope.inspectorWidth", letter: "i", leastPx: 262, mostPx: 520 },
  queues: { key: "queuescope.queuesHeight", letter: "q", leastPx: 72, mostPx: 480 },
  curves: { key: "queuescope.curvesHeight", letter: "k", leastPx: 56, mostPx: 360 },
} as const;
export type SizedPart = keyof typeof PARTS;

export type Sizes = Readonly<Partial<Record<SizedPart, number>>>;

export interface Layout {
  readonly sizes: Sizes;
  /** By slot, in their order. */
  readonly curves: readonly string[];
}

interface LayoutState {
  readonly sizes: Sizes;
  /** The address carries the layout. */
  readonly inLink: boolean;
}

const names = Object.keys(PARTS) as SizedPart[];

/** A size kept to what can be used. */
export function within(part: SizedPart, px: number): number {
  const { leastPx, mostPx } = PARTS[part];
  return Math.round(Math.min(mostPx, Math.max(leastPx, px)));
}

function keptSizes(): Sizes {
  const kept = names.flatMap((part) => {
    const px = Number(readDevice(PARTS[part].key) ?? Number.NaN);
    return Number.isFinite(px) ? [[part, within(part, px)] as const] : [];
  });
  return Object.fromEntries(kept);
}

export const useLayout = create<LayoutState>()(() => ({ sizes: keptSizes(), inLink: false }));

/** Gives a part a size for good; null brings the usual one back. */
export function setSize(part: SizedPart, px: number | null): void {
  const { [part]: _, ...others } = useLayout.getState().sizes;
  if (px === null) dropDevice(PARTS[part].key);
  else writeDevice(PARTS[part].key, String(within(part, px)));
  useLayout.setState({ sizes: px === null ? others : { ...others, [part]: within(part, px) } });
}

/** Sizes and curves as they come, here and on the device; the address no longer carries them. */
export function resetLayout(): void {
  for (const part of names) dropDevice(PARTS[part].key);
  for (const slot of CURVE_SLOTS) chooseCurve(slot, slot);
  useLayout.setState({ sizes: {}, inLink: false });
}

export function currentLayout(): Layout {
  return { sizes: useLayout.getState().sizes, curves: CURVE_SLOTS.map(curveChoice) };
}

/** Shows what a link brings. */
export function enterLayout({ sizes, curves }: Layout): void {
  CURVE_SLOTS.forEach((slot, at) => {
    const id = curves[at] ?? slot;
    if (isCurveId(id)) showCurve(slot, id);
  });
  useLayout.setState({ sizes, inLink: true });
}

const VERSION = "1";
const CURVE_LETTERS = ["a", "b"] as const;

export function encodeLayout({ sizes, curves }: Layout): string {
  const parts = [VERSION];
  for (const part of names) {
    const px = sizes[part];
    if (px !== undefined) parts.push(`${PARTS[part].letter}${within(part, px).toString(36)}`);
  }
  CURVE_SLOTS.forEach((slot, at) => {
    const id = curves[at];
    if (id !== undefined && id !== slot) parts.push(`${CURVE_LETTERS[at]}${id}`);
  });
  return parts.join(".");
}

/** The layout, or null when the text is not one; parts of a later version are passed over. Total. */
export function decodeLayout(text: string): Layout | null {
  const [version, ...parts] = text.split(".");
  if (version !== VERSION) return null;
  const given = new Map(parts.map((part) => [part.slice(0, 1), part.slice(1)]));
  const sizes = names.flatMap((part) => {
    const size = given.get(PARTS[part].letter) ?? "";
    return /^[0-9a-z]{1,4}$/.test(size)
      ? [[part, within(part, Number.parseInt(size, 36))] as const]
      : [];
  });
  const curves = CURVE_SLOTS.map((slot, at) => {
    const id = given.get(CURVE_LETTERS[at] ?? "") ?? slot;
    return isCurveId(id) ? id : slot;
  });
  return { sizes: Object.fromEntries(sizes), curves };
}
