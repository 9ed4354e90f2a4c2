/** The forms of the policy lab as somebody uses them, and what the page then tells of a run. */

import type { Locator } from "@playwright/test";
import { expect } from "@playwright/test";
import type { Workbench } from "./workbench.ts";

/** A value of a setting: chosen by its label in a list, typed into a field, or ticked. */
type Wish = { readonly choose: string } | { readonly type: string } | { readonly tick: boolean };

/** Changes the policy at the cursor: each setting is looked for by its label. */
export async function changePolicy(
  bench: Workbench,
  wishes: Readonly<Record<string, Wish>>,
  pool?: string,
): Promise<void> {
  const before = await changes(bench);
  await bench.editor("Policy");
  const form = bench.page.locator("form.editor");
  const search = form.getByLabel("Find a setting");
  await expect(search).toBeVisible();
  if (pool !== undefined) await form.getByLabel("Pool", { exact: true }).selectOption(pool);
  for (const [label, wish] of Object.entries(wishes)) {
    await search.fill(label);
    await settle(form, label, wish);
  }
  await search.fill("");
  await bench.apply();
  await expect.poll(() => changes(bench)).toBe(before + 1);
  await bench.idle();
}

async function settle(form: Locator, label: string, wish: Wish): Promise<void> {
  if ("choose" in wish) {
    const radio = form
      .getByRole("group", { name: label, exact: true })
      .getByRole("radio", { name: new RegExp(`^${wish.choose}`) });
    const list = form.getByRole("combobox", { name: label, exact: true });
    await radio.or(list).first().waitFor();
    if ((await list.count()) > 0) await list.selectOption({ label: wish.choose });
    else await radio.check();
    return;
  }
  const field = form.getByLabel(label, { exact: true });
  if ("type" in wish) await field.fill(wish.type);
  else await field.setChecked(wish.tick);
}

async function changes(bench: Workbench): Promise<number> {
  return ((await bench.scenario()).interventions ?? []).length;
}

/** Opens a table of the rules, lets `edit` fill it in, and applies it from the start of the run. */
export async function changeRules(
  bench: Workbench,
  table: string,
  edit: (dialog: Locator) => Promise<void>,
): Promise<void> {
  const document = async () => JSON.stringify(await bench.scenario());
  const before = await document();
  await bench.button(/^Rules of the scenario/).click();
  const dialog = bench.dialog("Rules of the scenario");
  await dialog
    .getByRole("navigation", { name: "Tables" })
    .getByRole("button", { name: new RegExp(`^${table}`) })
    .click();
  await edit(dialog);
  await dialog.getByRole("button", { name: "Apply from the start" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(document).not.toBe(before);
  await bench.idle();
}

/** Injects a job at the cursor; `fill` brings what is more than name, GPUs and run time. */
export async function inject(
  bench: Workbench,
  job: { readonly name: string; readonly gpus: string; readonly runTime: string },
  fill: (form: Locator) => Promise<void> = async () => undefined,
): Promise<void> {
  const before = await changes(bench);
  await bench.editor("Inject");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("Name", { exact: true }).fill(job.name);
  await form.getByLabel("GPUs", { exact: true }).fill(job.gpus);
  await form.getByLabel("Run time", { exact: true }).fill(job.runTime);
  await fill(form);
  await expect(form.getByRole("alert")).toHaveCount(0);
  await bench.apply();
  await expect.poll(() => changes(bench)).toBe(before + 1);
  await bench.idle();
}

/** What the Gantt says as the keyboard's cursor walks along a row, from where it stands. */
export async function walked(bench: Workbench, keys: readonly string[]): Promise<string> {
  const gantt = bench.page.getByRole("application", { name: /^Who held which/ });
  const live = bench.region("Gantt").getByRole("status");
  await gantt.focus();
  const heard: string[] = [];
  for (const key of keys) {
    const before = (await live.textContent()) ?? "";
    await bench.press(key);
    await expect(live).not.toHaveText(before);
    heard.push((await live.textContent()) ?? "");
  }
  return heard.join("\n");
}

/** The whole run in one of the two tables of the Gantt. */
export async function ganttTable(
  bench: Workbench,
  which: "Runs" | "Nodes and rounds",
): Promise<Locator> {
  await bench.page.getByRole("application", { name: /^Who held which/ }).focus();
  await bench.press("0", "Shift+T");
  if (which !== "Runs") await bench.click(which);
  return bench.page.getByRole("grid", { name: which === "Runs" ? "Runs in the window" : which });
}

/** What the tip says of the row that names `what`, at a time of the plot or in the gutter; empty where no row does. */
export async function tipAt(
  bench: Workbench,
  what: string,
  atMs: number,
  place: "plot" | "gutter" = "plot",
): Promise<string> {
  const gantt = bench.page.getByRole("application", { name: /^Who held which/ });
  const box = (await gantt.boundingBox())!;
  const gutter = await bench.page.locator(".gantt-gutter").evaluate((el) => el.clientWidth);
  const { window } = bench.view();
  const share = (atMs - window.fromMs) / (window.toMs - window.fromMs);
  const x = place === "gutter" ? gutter - 30 : gutter + share * (box.width - gutter);
  const tip = bench.page.locator(".gantt-tip");
  for (let y = 3; y < box.height; y += 5) {
    await bench.page.mouse.move(box.x + x, box.y + y);
    const text = (await tip.isVisible())
      ? ((await tip.textContent()) ?? "").replaceAll("\u00a0", " ")
      : "";
    if (text.includes(what)) return text;
  }
  return "";
}

/** The inspector's column. */
export const card = (bench: Workbench): Locator => bench.page.locator("[data-panel=inspector]");

export const legend = (bench: Workbench): Locator =>
  bench.page.getByRole("list", { name: "Legend" });

/** The value of a line of the lane of numbers, with the view of that label chosen. */
export async function gauge(bench: Workbench, view: string, line = 0): Promise<Locator> {
  const lane = bench.region("Numbers over time");
  await lane
    .getByRole("combobox", { name: "Which numbers are drawn" })
    .selectOption({ label: view });
  return lane.locator(`[data-line="${line}"]`);
}

/** The line of the decision log that says so, in the card that is shown. */
export async function decision(bench: Workbench, words: RegExp): Promise<Locator> {
  const summary = card(bench).getByText("Decisions up to the cursor");
  if (
    !(await card(bench)
      .locator("details.log", { hasText: "Decisions up to the cursor" })
      .evaluate((log) => (log as HTMLDetailsElement).open))
  )
    await summary.click();
  return card(bench).locator(".log-list li").filter({ hasText: words });
}
