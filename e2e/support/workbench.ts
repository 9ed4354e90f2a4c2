/**
 * The page as a test drives it: by role and accessible name, and by `window.queuescope`, the interface that the page offers to
 * tests and embedding. Every method ends when the page is idle, so that no test waits on time.
 */
import type { Locator, Page } from "@playwright/test";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import type { View } from "../../src/store/viewCode.ts";
import { decodeView } from "../../src/store/viewCode.ts";

/** One run of one job, as the page tells it: times in ms of simulated time, `null` while not known. */
export interface JobRun {
  readonly id: string;
  readonly submitMs: number;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly gpus: number;
}

/** `window.queuescope`, see the README. */
interface PageInterface {
  idle(): Promise<void>;
  digest(): string;
  scenario(): ScenarioInput & Record<string, unknown>;
  open(what: unknown): Promise<void>;
  seek(ms: number): void;
  select(jobId: string): void;
  schedule(): JobRun[];
  readonly commits: number;
}

declare global {
  interface Window {
    queuescope: PageInterface;
  }
}

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Loads an address (`/`, `/#…`, `/?embed=…`) afresh and waits until it has computed and drawn. */
  async visit(address = "/"): Promise<void> {
    // Two addresses that differ in the fragment alone are one document to the browser: leave it first.
    if (this.page.url() !== "about:blank") await this.page.goto("about:blank");
    await this.page.goto(address);
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.page.waitForFunction(() => window.queuescope !== undefined);
    await this.page.evaluate(() => window.queuescope.idle());
  }

  digest(): Promise<string> {
    return this.page.evaluate(() => window.queuescope.digest());
  }

  scenario(): Promise<ReturnType<PageInterface["scenario"]>> {
    return this.page.evaluate(() => window.queuescope.scenario());
  }

  /** The runs of every job, in submit order. */
  schedule(): Promise<JobRun[]> {
    return this.page.evaluate(() => window.queuescope.schedule());
  }

  /** Start of the first run of a job. */
  async startMs(jobId: string): Promise<number> {
    const run = (await this.schedule()).find((one) => one.id === jobId);
    if (run?.startMs === undefined || run.startMs === null)
      throw new Error(`${jobId} never starts`);
    return run.startMs;
  }

  async open(what: ScenarioInput | string): Promise<void> {
    await this.page.evaluate((given) => window.queuescope.open(given), what);
    await this.idle();
  }

  async seek(atMs: number): Promise<void> {
    await this.page.evaluate((ms) => window.queuescope.seek(ms), atMs);
    await this.idle();
  }

  async select(jobId: string): Promise<void> {
    await this.page.evaluate((id) => window.queuescope.select(id), jobId);
    await this.idle();
  }

  /** React commits since the page was loaded. */
  commits(): Promise<number> {
    return this.page.evaluate(() => window.queuescope.commits);
  }

  /** The address bar: it is always the link. */
  link(): string {
    return this.page.url();
  }

  part(key: "s" | "d" | "w"): string | null {
    const hash = new URL(this.link()).hash.slice(1);
    const found = hash.split("&").find((piece) => piece.startsWith(`${key}=`));
    return found === undefined ? null : found.slice(key.length + 1);
  }

  /** Cursor, window and selection, as the link holds them. */
  view(): View {
    const view = decodeView(this.part("w") ?? "");
    if (view === null) throw new Error(`no view in ${this.link()}`);
    return view;
  }

  /** A point over the rows of the Gantt. */
  async overGantt(): Promise<{ x: number; y: number }> {
    const box = await this.page
      .getByRole("application", { name: /who held/i })
      .first()
      .boundingBox();
    if (box === null) throw new Error("no Gantt on screen");
    return { x: box.x + box.width * 0.6, y: box.y + box.height / 2 };
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  region(name: string | RegExp): Locator {
    return this.page.getByRole("region", { name, exact: typeof name === "string" });
  }

  dialog(name?: string | RegExp): Locator {
    return name === undefined
      ? this.page.getByRole("dialog")
      : this.page.getByRole("dialog", { name });
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.idle();
    }
  }

  async click(name: string | RegExp): Promise<void> {
    await this.button(name).first().click();
    await this.idle();
  }

  /** The clock in the bar: what the cursor shows while it moves (the link waits until it rests). */
  async clock(): Promise<string> {
    return (await this.button("Go to time").textContent()) ?? "";
  }

  /** Opens an editor by its button in the list of changes. */
  async editor(which: "Policy" | "Inject" | "Drain"): Promise<void> {
    const button = this.button(new RegExp(`^${which}`)).first();
    if (!(await button.isVisible())) await this.button(/^Changes/).click();
    await this.click(new RegExp(`^${which}`));
  }

  /** Chooses a backfill in the policy editor, by its name. */
  async chooseBackfill(name: "None" | "EASY" | "Conservative"): Promise<void> {
    await this.page.getByLabel("Backfill", { exact: true }).selectOption({ label: name });
  }

  /** The button at the end of the open editor. */
  async apply(): Promise<void> {
    await this.page.locator("form button[type=submit]").click();
    await this.idle();
  }

  /** Takes the last step back by the button. */
  undo(): Promise<void> {
    return this.click(/^Undo/);
  }

  redo(): Promise<void> {
    return this.click(/^Redo/);
  }

  /** Names of errors and other messages on screen. */
  alerts(): Locator {
    return this.page.getByRole("alert");
  }
}

/** The part of a schedule before `atMs`: runs that had started by then; ends later than that are cut off, as nobody could know them. */
export function pastOf(schedule: readonly JobRun[], atMs: number): JobRun[] {
  return schedule
    .filter((run) => run.startMs !== null && run.startMs < atMs)
    .map((run) => ({ ...run, endMs: run.endMs !== null && run.endMs < atMs ? run.endMs : null }));
}
