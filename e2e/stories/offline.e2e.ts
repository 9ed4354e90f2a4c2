/**
 * After one visit the page needs no network, and a new version comes when the reader says so. The story has a server of its own: it is
 * stopped for good, and another build takes its place. Only here may the page register its service worker.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dist } from "../../scripts/paths.mjs";
import { serve } from "../../scripts/serve.mjs";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";
import { Workbench } from "../support/workbench.ts";

const PORT = Number(process.env.QUEUESCOPE_E2E_PORT ?? 4187) + 1;

test.use({ fresh: true, serviceWorkers: "allow", baseURL: `http://localhost:${PORT}` });

const SLURM = {
  ...BLOCKED,
  pools: [{ id: "all", policy: { preset: "slurm" as const, settings: {} } }],
};

const buildOf = (bench: Workbench) =>
  bench.page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content);
const cachesOf = (bench: Workbench) => bench.page.evaluate(() => caches.keys());

/** Another version: another name, and without a chunk that only the former one has. */
function nextBuild(build: string): string {
  const folder = mkdtempSync(join(tmpdir(), "queuescope-next-"));
  cpSync(dist, folder, { recursive: true });
  const next = build.replace(/./g, (digit) => (digit === "0" ? "1" : "0"));
  const gone = readdirSync(join(folder, "assets")).find((name) =>
    /^slurmPreset-.*\.js$/.test(name),
  );
  rmSync(join(folder, "assets", gone ?? ""));
  for (const file of ["index.html", "sw.js"]) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(build, next);
    writeFileSync(
      join(folder, file),
      text.replace(new RegExp(`\\{[^{}]*assets/${gone}[^{}]*\\},?`), ""),
    );
  }
  return folder;
}

test("after one visit any link opens without network, with everything that comes late", async ({
  bench,
  context,
}) => {
  const close = await serve(PORT);
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const link = bench.link();
  const digest = await bench.digest();
  close();
  await context.setOffline(true);
  await bench.visit(link);
  expect(await bench.digest()).toBe(digest);
  await bench.page.reload();
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
  // A scheduler that is a chunk of the worker's, which nothing has fetched before.
  await bench.open(SLURM);
  expect(await bench.digest()).not.toBe(digest);
  for (const key of ["u", "Control+e"]) {
    await bench.press(key);
    await expect(bench.dialog()).toBeVisible();
    await bench.press("Escape");
    await expect(bench.dialog()).toHaveCount(0);
  }
  await bench.press("c");
  await expect(bench.page.getByRole("main", { name: "Futures side by side" })).toBeVisible();
  await bench.visit("/?embed=gantt");
  await expect(bench.page.locator("canvas").first()).toBeVisible();
});

test("a new version waits until the reader asks, then keeps the work; a tab of the old one goes on", async ({
  bench,
  secondTab,
}) => {
  let close = await serve(PORT);
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const old = (await buildOf(bench)) ?? "";
  const other = new Workbench(await secondTab());
  await other.visit();
  close();
  const folder = nextBuild(old);
  close = await serve(PORT, folder);
  try {
    await expect(bench.button("Update ready")).toHaveCount(0);
    await bench.page.reload();
    await bench.idle();
    await expect(bench.button("Update ready")).toBeVisible();
    expect(await buildOf(bench)).toBe(old);
    await bench.click("Update ready");
    await expect.poll(() => buildOf(bench).catch(() => old)).not.toBe(old);
    await bench.idle();
    expect(await bench.digest()).toBe(digest);
    await expect(bench.button("Update ready")).toHaveCount(0);
    // The other tab was not reloaded, is told, and still has what only its own version knows.
    expect(await buildOf(other)).toBe(old);
    await expect(other.button("Update ready")).toBeVisible();
    await other.open(SLURM);
    expect(await other.digest()).not.toBe(digest);
    expect(await cachesOf(bench)).toHaveLength(2);
    await other.page.close();
    await bench.page.reload();
    await bench.idle();
    await expect.poll(() => cachesOf(bench)).toHaveLength(1);
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
});
