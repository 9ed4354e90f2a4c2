/** The headless program in one file that needs nothing but Node: `dist/cli/queuescope.js`. */
import { defineConfig } from "vite";

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from a default export.
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/cli/main.ts",
    target: "node20.19",
    outDir: "dist/cli",
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      output: {
        entryFileNames: "queuescope.js",
        codeSplitting: false,
        banner: "#!/usr/bin/env node",
      },
    },
  },
});
