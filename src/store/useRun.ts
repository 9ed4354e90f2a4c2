/**
 * What React may read of the run and the cursor. Both change faster than people read, so components see them at most four
 * times a second (the last value always arrives); canvases and gutters subscribe directly and never come here.
 */
import { useEffect, useState } from "react";
import { type RunData, runData } from "./runData.ts";
import { useApp } from "./store.ts";

const LEAST_GAP_MS = 250;

/** Calls `show` at once, then at most every `LEAST_GAP_MS`, always ending with the newest. */
function throttled(show: () => void): { readonly call: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const tick = () => {
    timer = null;
    if (!again) return;
    again = false;
    show();
    timer = setTimeout(tick, LEAST_GAP_MS);
  };
  return {
    call: () => {
      if (timer !== null) {
        again = true;
        return;
      }
      show();
      timer = setTimeout(tick, LEAST_GAP_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** The run data, at most four times a second. */
export function useRunData(): RunData {
  const [data, setData] = useState(() => runData.get());
  useEffect(() => {
    const gate = throttled(() => setData(runData.get()));
    gate.call();
    const off = runData.subscribe(gate.call);
    return () => {
      off();
      gate.stop();
    };
  }, []);
  return data;
}

/** The cursor, at most four times a second. */
export function useCursorMs(): number {
  const [cursorMs, setCursorMs] = useState(() => useApp.getState().cursorMs);
  useEffect(() => {
    const gate = throttled(() => setCursorMs(useApp.getState().cursorMs));
    gate.call();
    const off = useApp.subscribe((state) => state.cursorMs, gate.call);
    return () => {
      off();
      gate.stop();
    };
  }, []);
  return cursorMs;
}
