/**
 * Who may import whom, and which globals a layer may touch. This table is the architecture; the one in `ARCHITECTURE.md` is held to it. A name
 * under `types` may be imported with `import type` only, so that nothing of it is in the built file.
 */
export interface Layer {
  readonly imports: readonly string[];
  readonly types?: readonly string[];
  /** Packages, by name or by prefix ending in `/`. */
  readonly packages: readonly string[];
  /** Runs unchanged in Node, page and worker: no clock, no dice, no DOM, no network. */
  readonly pure: boolean;
}

/** Plain computation only: variates and special functions, schema, hashes, compression, CSV. */
const PURE_PACKAGES = ["@stdlib/", "zod/mini", "@noble/hashes/", "fflate", "papaparse", "yaml"];
const PAGE_PACKAGES = [
  ...PURE_PACKAGES,
  "@tanstack/",
  "comlink",
  "idb",
  "lucide-react",
  "radix-ui",
  "react",
  "react/",
  "react-dom",
  "react-dom/",
  "diff",
  "uqr",
  "workbox-window",
  "@uwdata/flechette",
  "zustand",
  "zustand/",
];
const BELOW_PROTOCOL = [
  "base",
  "model",
  "scenario",
  "record",
  "workload",
  "formats",
  "metrics",
  "timeline",
  "engine",
  "scheduling",
  "schedulers",
];

const pure = (imports: readonly string[], types: readonly string[] = []): Layer => ({
  imports,
  types,
  packages: PURE_PACKAGES,
  pure: true,
});
const page = (imports: readonly string[], types: readonly string[] = []): Layer => ({
  imports,
  types,
  packages: PAGE_PACKAGES,
  pure: false,
});

/** `engine/grant.ts` is the buffer in which a scheduler hands over devices: data that both sides build. */
const VIEW = ["engine/grant"];

export const LAYERS: Readonly<Record<string, Layer>> = {
  base: pure([]),
  model: pure(["base"]),
  scenario: pure(["base", "model"]),
  record: pure(["base", "model"]),
  workload: pure(["base", "model", "scenario"]),
  // The columns of a parsed workload are the contract between readers and the expansion.
  formats: pure(["base", "model", "scenario", "workload/parsed"]),
  metrics: pure(["base", "model", "record"], ["scenario"]),
  timeline: pure(["base", "model", "record"], ["scenario", "protocol"]),
  engine: pure(["base", "model", "scenario", "record"]),
  scheduling: pure(["base", "model", ...VIEW], ["scenario", "engine"]),
  schedulers: pure(["base", "model", "scheduling", ...VIEW], ["scenario", "engine"]),
  protocol: pure([], ["base", "model", "scenario", "record", "engine"]),
  worker: {
    imports: [...BELOW_PROTOCOL, "protocol"],
    packages: [...PURE_PACKAGES, "comlink", "idb"],
    pure: false,
  },
  cli: {
    imports: [...BELOW_PROTOCOL, "protocol"],
    packages: [...PURE_PACKAGES, "commander", "node:"],
    pure: false,
  },
  // The service worker, built apart from the page.
  offline: {
    imports: [],
    packages: ["workbox-precaching/"],
    pure: false,
  },
  theme: page(["base"]),
  render: page(["base", "timeline", "theme"]),
  store: page(
    // Playing moves the cursor once a frame; the frame loop is the page's only clock.
    [
      "base",
      "model",
      "scenario",
      "record",
      "timeline",
      "metrics",
      "protocol",
      "render/frameLoop",
      "engine/version",
    ],
    ["formats", "engine"],
  ),
  ui: page(["base", "theme"]),
  panels: page(
    // A service's demand is drawn in its form as the run will draw it.
    [
      "workload/lab/demand",
      "base",
      "model",
      "scenario",
      "record",
      "timeline",
      "metrics",
      "store",
      "render",
      "ui",
      "theme",
    ],
    ["protocol", "engine"],
  ),
  app: page(
    [
      "base",
      "model",
      "scenario",
      "record",
      "timeline",
      "metrics",
      "workload",
      "formats",
      "protocol",
      "worker",
      "offline",
      "store",
      "render",
      "panels",
      "ui",
      "theme",
    ],
    ["engine"],
  ),
};

/** Globals that differ between runs or places, or exist in only some of them. */
export const BANNED_GLOBALS: readonly string[] = [
  "window",
  "document",
  "self",
  "globalThis",
  "performance",
  "Date",
  "setTimeout",
  "setInterval",
  "requestAnimationFrame",
  "queueMicrotask",
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "navigator",
  "location",
  "history",
  "localStorage",
  "sessionStorage",
  "indexedDB",
  "caches",
  "crypto",
  "process",
  "Buffer",
  "require",
  "console",
  "postMessage",
  "Intl",
];

/** Exact in every engine; all other members of `Math` are approximated differently and come from `@stdlib`. */
export const EXACT_MATH: readonly string[] = [
  "abs",
  "ceil",
  "floor",
  "round",
  "trunc",
  "sign",
  "min",
  "max",
  "sqrt",
  "imul",
  "clz32",
  "fround",
  "PI",
  "E",
  "LN2",
  "LN10",
  "LOG2E",
  "LOG10E",
  "SQRT2",
  "SQRT1_2",
];
