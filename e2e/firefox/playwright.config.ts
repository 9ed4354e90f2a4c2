/** As the main configuration, for the tests that drive Firefox themselves. Called by `run.mjs`. */
import { defineConfig } from "@playwright/test";

const port = Number(process.env.QUEUESCOPE_E2E_PORT ?? 4188);

// biome-ignore lint/style/noDefaultExport: Playwright reads its configuration from a default export.
export default defineConfig({
  testDir: ".",
  testMatch: "*.firefox.ts",
  outputDir: "../../test-results/firefox",
  workers: 1,
  forbidOnly: true,
  timeout: 120_000,
  reporter: [["list"]],
  use: { baseURL: `http://localhost:${port}` },
  webServer: {
    command: "node ../../scripts/serve.mjs",
    env: { PORT: String(port) },
    url: `http://localhost:${port}`,
    reuseExistingServer: false,
  },
});
