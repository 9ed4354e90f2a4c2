/** How high a row of a table is: dense for a pointer that is exact, as high as a finger for one that is not (`grid.css` has the same). */
import { useSyncExternalStore } from "react";

const COARSE = "(pointer: coarse)";
const FINE_CSS = 24;
const COARSE_CSS = 44;

/** Follows the device: a mouse may be plugged in. */
export function useRowCss(): number {
  return useSyncExternalStore(onPointer, rowCss, () => FINE_CSS);
}

function rowCss(): number {
  return window.matchMedia?.(COARSE).matches ? COARSE_CSS : FINE_CSS;
}

function onPointer(tell: () => void): () => void {
  const query = window.matchMedia?.(COARSE);
  query?.addEventListener("change", tell);
  return () => query?.removeEventListener("change", tell);
}
