/**
 * Browser tests run on the built page against the same static server as `npm start`, files side by side on two cores. What counts
 * frames and tasks is a project of its own that runs after the others, alone. `npm test` builds first and names browser and port; by
 * hand: `npm run build && npx playwright test`.
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.QUEUESCOPE_E2E_PORT ?? 4187);
const counting = "**/frames.e2e.ts";
const browser = process.env.QUEUESCOPE_CHROME;

// biome-ignore lint/style/noDefaultExport: Playwright reads its configuration from a default export.
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  outputDir: "test-results",
  workers: Math.min(2, availableParallelism()),
  fullyParallel: false,
  projects: [
    { name: "stories", testIgnore: counting },
    { name: "counting", testMatch: counting, dependencies: ["stories"], workers: 1 },
  ],
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    // What is stored for later visits has a story of its own; elsewhere requests are watched, and each visit is a first one.
    serviceWorkers: "block",
    locale: "en-US",
    timezoneId: "UTC",
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-device-scale-factor=1",
      ],
    },
  },
  webServer: {
    command: "node scripts/serve.mjs",
    env: { PORT: String(port) },
    url: `http://localhost:${port}`,
    reuseExistingServer: false,
  },
});
