/**
 * Browser profiles that tests use one after the other. A new window and a cold load cost more than most stories; so a profile, its page
 * and what the browser keeps of the program are handed on, and everything a visitor could have left behind is taken away: storage,
 * session, history, permissions, emulated media. A test that changes what cannot be taken back asks for a profile of its own (`fresh`).
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";

export interface Profile {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface Kept extends Profile {
  readonly options: BrowserContextOptions;
  /** Windows of other sizes, zones and pointers are other profiles. */
  readonly key: string;
  inUse: boolean;
  uses: number;
}

/** A page is handed on this often: what it may leak does not add up. */
const USES_MOST = 40;

/** Opens a profile in which a violation of the page's policy is an error on the console. */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<Profile> {
  const context = await browser.newContext(options);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { context, page: await context.newPage() };
}

export class Profiles {
  readonly #kept: Kept[] = [];

  /** A profile as good as new. */
  async take(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
    const key = JSON.stringify(options);
    const free = this.#kept.find((one) => one.key === key && !one.inUse);
    if (free) {
      free.inUse = true;
      free.uses += 1;
      return free;
    }
    const opened = await openProfile(browser, options);
    for (const thing of [opened.page, opened.context])
      thing.addInitScript = () => {
        throw new Error("A script stays with the page for good: use a `fresh` profile.");
      };
    this.#kept.push({ ...opened, options, key, inUse: true, uses: 1 });
    return opened;
  }

  /** The test that took it is over. */
  async giveBack({ context, page }: Profile): Promise<void> {
    const at = this.#kept.findIndex((one) => one.context === context);
    const kept = this.#kept[at];
    if (!kept) return;
    if (kept.uses >= USES_MOST || page.isClosed()) {
      this.#kept.splice(at, 1);
      await context.close();
      return;
    }
    await clean(kept);
    kept.inUse = false;
  }

  async close(): Promise<void> {
    for (const { context } of this.#kept.splice(0)) await context.close();
  }
}

async function clean({ context, page, options }: Kept): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
  // The session's storage is reached from a document of the origin: one without the program.
  await page.goto("/icon.svg");
  const origin = await page.evaluate(() => {
    sessionStorage.clear();
    return location.origin;
  });
  await page.goto("about:blank");
  const cdp = await context.newCDPSession(page);
  await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await cdp.send("Page.resetNavigationHistory");
  await cdp.detach();
  await context.clearPermissions();
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    reducedMotion: null,
    forcedColors: null,
    contrast: null,
  });
  if (options.viewport) await page.setViewportSize(options.viewport);
}
