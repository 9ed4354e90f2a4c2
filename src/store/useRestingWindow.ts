/** The time window for React: what it is once it rests, so that pan and zoom render nothing. */
import { useEffect, useState } from "react";
import type { TimeWindow } from "../timeline/viewport.ts";
import { useApp } from "./store.ts";

const REST_MS = 200;

export function useRestingWindow(): TimeWindow {
  const [window, setShown] = useState(() => useApp.getState().window);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const off = useApp.subscribe(
      (state) => state.window,
      (next) => {
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(() => setShown(next), REST_MS);
      },
    );
    return () => {
      off();
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
  return window;
}
