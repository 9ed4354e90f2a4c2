/**
 * The `test` that every browser test uses: it fails on any console error, uncaught exception, Content-Security-Policy report or
 * request that leaves the origin, on whatever screen and in whatever tab the test visits. `stranger` opens the page as somebody
 * else would: another browser profile, empty storage, watched alike.
 */

import type { BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { test as plain, expect as playwrightExpect } from "@playwright/test";
import { Workbench } from "./support/workbench.ts";

export const expect = playwrightExpect;

/** Collects what a page must never say or do. */
export class Watch {
  readonly complaints: string[] = [];
  readonly #origin: string;

  constructor(baseURL: string) {
    this.#origin = new URL(baseURL).origin;
  }

  /** Takes out complaints that the test itself brought about. */
  forgive(what: RegExp): void {
    const kept = this.complaints.filter((text) => !what.test(text));
    this.complaints.splice(0, this.complaints.length, ...kept);
  }

  async over(context: BrowserContext): Promise<void> {
    context.on("console", (message) => {
      if (message.type() === "error")
        this.complaints.push(`console error: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.complaints.push(`uncaught: ${error.error().message}`));
    context.on("request", (request) => {
      const url = new URL(request.url());
      const local = ["data:", "blob:", "about:"].includes(url.protocol);
      if (!local && url.origin !== this.#origin)
        this.complaints.push(`request to ${url.origin} by ${request.resourceType()}`);
    });
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
  }
}

interface Fixtures {
  watch: Watch;
  bench: Workbench;
  /** A page in a fresh profile. */
  stranger: (options?: BrowserContextOptions) => Promise<Workbench>;
  /** One more tab beside `page`, in the same profile. */
  secondTab: () => Promise<Page>;
}

export const test = plain.extend<Fixtures>({
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = new Watch(baseURL ?? "http://localhost");
      await watch.over(context);
      await use(watch);
      if (watch.complaints.length > 0)
        throw new Error(`The page complained:\n${watch.complaints.join("\n")}`);
    },
    { auto: true },
  ],
  bench: async ({ page }, use) => use(new Workbench(page)),
  stranger: async ({ browser, watch, baseURL, viewport, locale, timezoneId }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const same = {
        ...(baseURL ? { baseURL } : {}),
        ...(locale ? { locale } : {}),
        ...(timezoneId ? { timezoneId } : {}),
        viewport,
      };
      const context = await browser.newContext({ ...same, ...options });
      contexts.push(context);
      await watch.over(context);
      return new Workbench(await context.newPage());
    });
    for (const context of contexts) await context.close();
  },
  secondTab: async ({ context }, use) => use(() => context.newPage()),
});
