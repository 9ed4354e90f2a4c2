/** Sharing: short links, the dialog behind "Share", embedded panels, what another engine made, and the scenarios of this device. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { BLOCKED, drawn, HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

const TITLE = BLOCKED.title ?? "";

async function openLibrary(bench: Workbench, title: RegExp): Promise<void> {
  await bench.click("Library");
  await bench.dialog("Library").getByRole("button", { name: title }).click();
  await bench.idle();
}

test("the address of a library scenario, changed and at a moment of its own, stays below 200 characters", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await openLibrary(bench, /^Why is my job waiting/);
  await bench.editor("Policy");
  await bench.chooseBackfill("Conservative");
  await bench.apply();
  await bench.seek(3 * HOUR);
  const link = bench.link();
  expect(link.length).toBeLessThan(200);
  const other = await stranger();
  await other.visit(link);
  expect(await other.digest()).toBe(await bench.digest());
  expect(other.view()).toEqual(bench.view());
});

test("fifty jobs made by hand stay below 2,000 characters", async ({ bench }) => {
  await bench.visit();
  const jobs = Array.from({ length: 50 }, (_, index) => ({
    id: `run-${(index * 7919) % 1000}-${index}`,
    submitMs: ((index * 104_729) % 86_400) * 1_000,
    workMs: 60_000 + ((index * 7_907) % 20_000) * 1_000,
    limitMs: (1 + (index % 9)) * HOUR,
    gpus: [1, 2, 4, 8][(index * 31) % 4] ?? 1,
    tier: ["critical", "high", "normal", "low"][(index * 17) % 4] ?? "low",
    user: ["ana", "jon", "lee", "mira"][(index * 13) % 4] ?? "ana",
  }));
  await bench.open({ ...BLOCKED, workload: { jobs } });
  expect(bench.link().length).toBeLessThan(2_000);
});

test("Share says what the link holds; mouse and keys copy it; the code and the snippet hold the same", async ({
  bench,
  context,
  stranger,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.select("short");
  await bench.click("Share");
  const dialog = bench.dialog("Share");
  await expect(dialog.getByText(/4\sjobs/)).toBeVisible();
  await expect(dialog.getByText("The job that is selected")).toBeVisible();
  await expect(dialog.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  const copied = await bench.page.evaluate(() => navigator.clipboard.readText());
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include("[role=dialog]")
    .analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await bench.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(copied).toBe(bench.link());

  await bench.press("u");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Curves").focus();
  await bench.page.keyboard.press("Space");
  await dialog.getByRole("button", { name: "Copy snippet" }).focus();
  await bench.page.keyboard.press("Enter");
  const snippet = await bench.page.evaluate(() => navigator.clipboard.readText());
  const source = /src="([^"]+)"/.exec(snippet)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(source).toContain("?embed=gantt,curves#s=");
  const other = await stranger({ viewport: { width: 900, height: 600 } });
  await other.visit(source);
  expect(await other.digest()).toBe(await bench.digest());
  await expect(other.region(/GPUs held/)).toBeVisible();
  await expect(other.button("Library")).toHaveCount(0);
});

test("a link made by another engine says which, and what became of the mean wait", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await expect.poll(() => bench.part("d")).toMatch(/^[0-9a-f]{8}\.\d+/);
  const other = await stranger();
  await other.visit(bench.link().replace(/d=[^&]*/, "d=00000000.0.5lo"));
  await expect(
    other.page.getByText(/Made with engine 0; recomputed with engine \d+/),
  ).toBeVisible();
  await expect(other.page.getByText(/mean wait 12\.1 → [\d.]+ min/)).toBeVisible();
});

test("recent scenarios come back as they were left; each and all can be forgotten", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(2 * HOUR);
  const digest = await bench.digest();
  const view = bench.view();
  const show = async (): Promise<void> => {
    await bench.press("Control+k");
    await bench.page.keyboard.type("recent scen");
    await bench
      .dialog()
      .getByRole("option", { name: /^Recent/, selected: true })
      .waitFor();
    await bench.press("Enter");
  };
  const dialog = bench.dialog("Recent scenarios");
  // The list is written after a quiet moment.
  await expect(async () => {
    await bench.press("Escape");
    await show();
    await expect(dialog.getByRole("button", { name: TITLE, exact: true })).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await bench.press("Escape");
  await bench.open(drawn(3));
  await bench.click("Library");
  await bench.dialog("Library").getByRole("button", { name: "Recent scenarios" }).click();
  await dialog.getByRole("button", { name: TITLE, exact: true }).press("Enter");
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
  expect(bench.view()).toEqual(view);
  await show();
  await dialog.getByRole("button", { name: `Delete ${TITLE}` }).click();
  await expect(dialog.getByRole("button", { name: TITLE, exact: true })).toHaveCount(0);
  await bench.press("Escape");
  expect(await bench.digest()).toBe(digest);
});

test("a link opens the same table and levels of detail; closing the table leaves the link", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.press("Shift+T", "Shift+V");
  const runs = (one: Workbench) => one.page.getByRole("grid", { name: /runs/i });
  await expect(runs(bench)).toBeVisible();
  await expect.poll(() => bench.part("w")).toMatch(/\.d2\.l/);
  const other = await stranger();
  await other.visit(bench.link());
  await expect(runs(other)).toBeVisible();
  expect(other.view()).toEqual(bench.view());
  await bench.press("Shift+T");
  await expect(runs(bench)).toHaveCount(0);
  await expect.poll(() => bench.part("w")).not.toContain(".d");
});

test("a link whose signs another program has spelled out opens all the same", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const [page = "", fragment = ""] = bench.link().split("#");
  const other = await stranger();
  await other.visit(`${page}#${fragment.replaceAll(":", "%3A")}`);
  expect(await other.digest()).toBe(await bench.digest());
});
