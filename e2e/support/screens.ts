/** Every screen of the page, the way to it, and what shows that it has come: lazy parts come a moment after their command. */
import type { Locator } from "@playwright/test";
import type { Workbench } from "./workbench.ts";

export interface Screen {
  readonly name: string;
  readonly show: (bench: Workbench) => Promise<void>;
  readonly mark: (bench: Workbench) => Locator;
  /** The part of the page that this screen brings; the rest is that of the sheet. */
  readonly part: string;
}

const editor = (which: "Policy" | "Inject" | "Drain"): Screen => ({
  name: which.toLowerCase(),
  show: (bench) => bench.editor(which),
  mark: (bench) => bench.page.locator("form button[type=submit]"),
  part: "[data-panel=inspector]",
});

export const SCREENS: readonly Screen[] = [
  {
    name: "sheet",
    show: async () => undefined,
    mark: (bench) => bench.page.getByRole("button", { name: /backfill/i }),
    part: "html",
  },
  editor("Policy"),
  editor("Inject"),
  editor("Drain"),
  {
    name: "queue-table",
    show: (bench) => bench.click("Queue table"),
    mark: (bench) => bench.page.getByRole("grid", { name: /waiting jobs/i }).getByRole("row"),
    part: "[data-panel=drawer]",
  },
  {
    name: "run-table",
    show: (bench) => bench.press("Shift+T"),
    mark: (bench) => bench.page.getByRole("grid", { name: /runs/i }).getByRole("row"),
    part: "[data-panel=drawer]",
  },
  {
    name: "library",
    show: (bench) => bench.click("Library"),
    mark: (bench) => bench.dialog("Library").getByRole("button", { name: /backfill/i }),
    part: "[role=dialog]",
  },
  {
    name: "help",
    show: (bench) => bench.click("Help"),
    mark: (bench) => bench.dialog().getByText("Undo", { exact: true }),
    part: "[role=dialog]",
  },
  {
    name: "palette",
    show: async (bench) => {
      await bench.press("Control+k");
      // A scenario of the library, found by its question, which stands beside its name.
      await bench.dialog().getByRole("combobox").fill("8-GPU job");
    },
    mark: (bench) => bench.dialog().getByRole("option"),
    part: "[role=dialog]",
  },
  {
    name: "rules",
    show: async (bench) => {
      await bench.press("Control+k");
      await bench.page.keyboard.type("rules of the scenario");
      await bench
        .dialog()
        .getByRole("option", { name: /^Rules of the scenario/, selected: true })
        .waitFor();
      await bench.press("Enter");
    },
    mark: (bench) => bench.dialog("Rules of the scenario"),
    part: "[role=dialog]",
  },
  {
    name: "orchestrators",
    show: async (bench) => {
      await bench.press("Control+k");
      await bench.page.keyboard.type("compare orchestrators");
      await bench
        .dialog()
        .getByRole("option", { name: /^Compare orchestrators/, selected: true })
        .waitFor();
      await bench.press("Enter");
    },
    mark: (bench) => bench.dialog("Orchestrators side by side").getByText(/^\d+ ms$/),
    part: "[role=dialog]",
  },
  {
    name: "share",
    show: (bench) => bench.click("Share"),
    mark: (bench) => bench.dialog("Share").getByRole("img"),
    part: "[role=dialog]",
  },
  {
    name: "export",
    show: (bench) => bench.press("Control+e"),
    mark: (bench) => bench.dialog("Picture or data").getByRole("img"),
    part: "[role=dialog]",
  },
  {
    name: "scenario",
    show: (bench) => bench.press("e"),
    mark: (bench) => bench.dialog().getByRole("textbox"),
    part: "[role=dialog]",
  },
  {
    name: "waiting",
    show: (bench) => bench.press("q"),
    mark: (bench) => bench.page.locator("[data-panel=drawer]").getByRole("button"),
    part: "[data-panel=drawer]",
  },
  {
    name: "about",
    show: async (bench) => {
      await bench.click("Help");
      await bench.click("About Queuescope");
    },
    mark: (bench) => bench.dialog("About Queuescope").getByRole("table"),
    part: "[role=dialog]",
  },
  {
    name: "whole page",
    show: (bench) => bench.press("Shift+Digit1"),
    mark: (bench) => bench.page.getByRole("application", { name: /who held/i }),
    part: "html",
  },
  {
    name: "files",
    show: (bench) => bench.click("Stored files"),
    mark: (bench) => bench.dialog("Stored files"),
    part: "[role=dialog]",
  },
];

/** Walks the screens one after the other: `visit` is called on each, then Escape leads back to the sheet. */
export async function walkScreens(
  bench: Workbench,
  visit: (name: string, part: string) => Promise<void>,
): Promise<void> {
  for (const { name, show, mark, part } of SCREENS) {
    await show(bench);
    await mark(bench).first().waitFor({ timeout: 5_000 });
    await visit(name, part);
    if (name !== "sheet") await bench.press("Escape");
  }
}
