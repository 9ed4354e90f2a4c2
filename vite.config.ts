/**
 * The page's build. Paths are relative, so any static host and any folder serves it; the Content-Security-Policy stands in the built
 * page itself (not while developing: the dev server's refresh needs inline scripts).
 */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import csp from "./scripts/csp.json" with { type: "json" };
import { licences } from "./scripts/licencesPlugin.mjs";
import { offline, workerPackages } from "./scripts/offlinePlugin.mjs";
import { withoutSentences } from "./scripts/withoutSentences.mjs";

function contentSecurityPolicy(): Plugin {
  return {
    name: "queuescope-csp",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: () => [
        {
          tag: "meta",
          attrs: {
            "http-equiv": "Content-Security-Policy",
            content: Object.entries(csp)
              .map(([directive, sources]) => `${directive} ${sources}`)
              .join("; "),
          },
          injectTo: "head-prepend",
        },
      ],
    },
  };
}

const built = licences(workerPackages);
const copy = fileURLToPath(new URL("scripts/stdlibCopy.cjs", import.meta.url));
const format = fileURLToPath(new URL("scripts/stdlibFormat.cjs", import.meta.url));

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from a default export.
export default defineConfig({
  base: "./",
  plugins: [react(), contentSecurityPolicy(), built.page, offline()],
  // See there: parts of @stdlib that only copy numbers here.
  resolve: {
    alias: {
      "@stdlib/blas-base-gcopy": copy,
      "@stdlib/array-to-json": copy,
      "@stdlib/string-format": format,
    },
  },
  worker: { format: "es", plugins: () => [built.worker, withoutSentences()] },
  build: {
    target: ["chrome111", "firefox115", "safari16.4"],
    outDir: "dist",
    // scripts/build.mjs builds aside and puts the files in place; dist/cli belongs to the headless program.
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    // Nothing is inlined as data: what the policy allows stays a short list.
    assetsInlineLimit: 0,
    manifest: true,
    // Sizes are held by a test on what counts, the compressed first load.
    chunkSizeWarningLimit: 2_000,
    sourcemap: true,
  },
  server: { port: 5173, strictPort: false },
});
