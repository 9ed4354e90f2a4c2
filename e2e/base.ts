/**
 * The `test` that every browser test uses: it fails on any console error, uncaught exception, Content-Security-Policy report or
 * request that leaves the origin, on whatever screen the test visits.
 */
import { test as plain, expect as playwrightExpect } from "@playwright/test";

export const expect = playwrightExpect;

export const test = plain.extend<{ watched: undefined }>({
  watched: [
    async ({ page, baseURL }, use) => {
      const complaints: string[] = [];
      const origin = new URL(baseURL ?? "http://localhost").origin;
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(`console error: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
      page.on("request", (request) => {
        const url = new URL(request.url());
        const local = url.protocol === "data:" || url.protocol === "blob:";
        if (!local && url.origin !== origin) complaints.push(`request to ${url.origin}`);
      });
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
          console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
      await use(undefined);
      if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join("\n")}`);
    },
    { auto: true },
  ],
});
