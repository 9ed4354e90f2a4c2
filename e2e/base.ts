/**
 * The `test` that every browser test uses: it fails on any console error, uncaught exception, Content-Security-Policy report or
 * request that leaves the origin, on whatever screen and in whatever tab the test visits. `stranger` opens the page as somebody
 * else would: another browser profile, empty storage, watched alike.
 */

import type {
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
  Request,
  WebError,
} from "@playwright/test";
import { test as plain, expect as playwrightExpect } from "@playwright/test";
import { openProfile, type Profile, Profiles } from "./support/profiles.ts";
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

  /** Watches until the returned function is called. */
  over(context: BrowserContext): () => void {
    const onConsole = (message: ConsoleMessage): void => {
      if (message.type() === "error")
        this.complaints.push(`console error: ${message.text()} (${message.location().url})`);
    };
    const onError = (error: WebError): void => {
      this.complaints.push(`uncaught: ${error.error().message}`);
    };
    const onRequest = (request: Request): void => {
      const url = new URL(request.url());
      const local = ["data:", "blob:", "about:"].includes(url.protocol);
      if (!local && url.origin !== this.#origin)
        this.complaints.push(`request to ${url.origin} by ${request.resourceType()}`);
    };
    context.on("console", onConsole).on("weberror", onError).on("request", onRequest);
    return () => {
      context.off("console", onConsole).off("weberror", onError).off("request", onRequest);
    };
  }
}

interface Fixtures {
  /** A profile that no test has used before: for cold loads, and for what stays with a page (scripts, clocks). */
  fresh: boolean;
  /** Windows as this test has them. */
  windows: BrowserContextOptions;
  profile: Profile;
  watch: Watch;
  bench: Workbench;
  /** A page in another profile, empty as that of somebody else. */
  stranger: (options?: BrowserContextOptions) => Promise<Workbench>;
  /** One more tab beside `page`, in the same profile. */
  secondTab: () => Promise<Page>;
}

interface WorkerFixtures {
  profiles: Profiles;
}

export const test = plain.extend<Fixtures, WorkerFixtures>({
  fresh: [false, { option: true }],
  profiles: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern.
    async ({}, use) => {
      const profiles = new Profiles();
      await use(profiles);
      await profiles.close();
    },
    { scope: "worker" },
  ],
  windows: async (
    { baseURL, viewport, locale, timezoneId, hasTouch, isMobile, serviceWorkers },
    use,
  ) => {
    const same = { baseURL, viewport, locale, timezoneId, hasTouch, isMobile, serviceWorkers };
    await use(Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)));
  },
  profile: async ({ browser, profiles, fresh, windows }, use) => {
    const profile = await (fresh ? openProfile(browser, windows) : profiles.take(browser, windows));
    await use(profile);
    if (fresh) await profile.context.close();
    else await profiles.giveBack(profile);
  },
  context: async ({ profile }, use) => use(profile.context),
  page: async ({ profile }, use) => use(profile.page),
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = new Watch(baseURL ?? "http://localhost");
      const stop = watch.over(context);
      await use(watch);
      stop();
      if (watch.complaints.length > 0)
        throw new Error(`The page complained:\n${watch.complaints.join("\n")}`);
    },
    { auto: true },
  ],
  bench: async ({ page }, use) => use(new Workbench(page)),
  stranger: async ({ browser, profiles, windows, watch }, use) => {
    const given: (() => Promise<void>)[] = [];
    await use(async (options = {}) => {
      const profile = await profiles.take(browser, { ...windows, ...options });
      const stop = watch.over(profile.context);
      given.push(() => {
        stop();
        return profiles.giveBack(profile);
      });
      return new Workbench(profile.page);
    });
    for (const giveBack of given) await giveBack();
  },
  secondTab: async ({ context }, use) => use(() => context.newPage()),
});
