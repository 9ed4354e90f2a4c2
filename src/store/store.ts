/** The zustand store. Canvases subscribe with `useApp.subscribe`, components select narrowly; only commands and input write. */
import { create } from "zustand";
import { subscribeWithSelector } from "zustand/middleware";
import type { AppState } from "./state.ts";

export const useApp = create<AppState>()(
  subscribeWithSelector(
    (): AppState => ({
      scenario: null,
      baseId: null,
      cursorMs: 0,
      playing: false,
      speed: 0,
      window: { fromMs: 0, toMs: 86_400_000 },
      range: null,
      bookmarks: [],
      selection: null,
      hover: null,
      runStatus: { phase: "empty" },
      drawer: "none",
      side: "inspector",
      leafLevels: {},
      grouping: "leaf",
      ghostShown: true,
      comparing: false,
      theme: "system",
      search: "",
      notice: null,
    }),
  ),
);
