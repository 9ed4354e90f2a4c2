/** Pictures and data: a panel as PNG or SVG that opens again where it is dropped, the run as CSV and Arrow. */
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { dropFile } from "../support/files.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

async function openExport(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.select("short");
  await bench.press("Control+e");
  await expect(bench.dialog("Picture or data")).toBeVisible();
}

/** Saves with a button of the dialog, once it can be used. */
async function save(bench: Workbench, name: string): Promise<{ name: string; buffer: Buffer }> {
  const button = bench.dialog("Picture or data").getByRole("button", { name, exact: true });
  await expect(button).not.toHaveAttribute("aria-disabled");
  const download = bench.page.waitForEvent("download");
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), buffer: await readFile(await file.path()) };
}

/** Chooses a picture and waits until it is drawn. */
async function choose(bench: Workbench, panel: string, format: string, theme = "Light") {
  const form = bench.region("Picture");
  const preview = form.getByRole("img");
  const before = await preview.getAttribute("src");
  await form.getByLabel("Panel").selectOption({ label: panel });
  await form.getByLabel("Format").selectOption({ label: format });
  await form.getByLabel("Theme").selectOption({ label: theme });
  await expect(preview).not.toHaveAttribute("src", before ?? "");
  await expect(form.getByRole("status")).toHaveText(/px/);
}

test("a saved PNG opens elsewhere at the same moment, with the same selection", async ({
  bench,
  stranger,
}) => {
  await openExport(bench);
  await expect(bench.region("Picture").getByRole("img")).toBeVisible();
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include("[role=dialog]")
    .analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await choose(bench, "Gantt", "PNG, 1×", "Dark");
  const picture = await save(bench, "Save picture");
  expect(picture.name).toBe("A-short-job-behind-a-wide-one-gantt.png");
  const theme = await bench.page.evaluate(() => document.documentElement.dataset.theme);
  expect(theme).toBe("light");
  await bench.press("Escape");
  const other = await stranger();
  await other.visit();
  await dropFile(other, picture);
  await expect.poll(() => other.digest()).toBe(await bench.digest());
  await other.idle();
  expect(other.view()).toEqual(bench.view());
});

test("an SVG holds bars as shapes, names as text, and its link", async ({ bench, stranger }) => {
  await openExport(bench);
  await choose(bench, "Gantt", "SVG, shapes");
  const picture = await save(bench, "Save picture");
  const text = picture.buffer.toString("utf8");
  expect(text).toContain(BLOCKED.title);
  expect(text).toMatch(/<text[^>]*>[^<]*wide/);
  expect(text).not.toContain("<image");
  const colours = new Set([...text.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill));
  expect(colours.size).toBeGreaterThan(4);
  const size = await bench.page.evaluate(async (svg) => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, text);
  expect(Math.min(...size)).toBeGreaterThan(100);
  const other = await stranger();
  await other.visit();
  await dropFile(other, picture);
  await expect.poll(() => other.digest()).toBe(await bench.digest());
});

test("shapes and pixels show the same: an SVG of each panel, drawn, equals its PNG but for edges and letters", async ({
  bench,
}) => {
  await openExport(bench);
  // What a control says of the picture stands in it: whose job is first, which curve this is.
  const said: Readonly<Record<string, string>> = { Queues: ">wide<", Curves: "GPUs held, by tier" };
  for (const panel of ["Gantt", "Queues", "Curves"]) {
    await choose(bench, panel, "PNG, 1×");
    const png = await save(bench, "Save picture");
    await choose(bench, panel, "SVG, shapes");
    const svg = await save(bench, "Save picture");
    const unlike = await bench.page.evaluate(
      async ([first, second]) => {
        const pixels = async (type: string, base64: string) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const image = new Image();
          image.src = URL.createObjectURL(new Blob([bytes], { type }));
          await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = image.naturalWidth;
          canvas.height = image.naturalHeight;
          const context = canvas.getContext("2d");
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        };
        const a = await pixels("image/png", first ?? "");
        const b = await pixels("image/svg+xml", second ?? "");
        if (a.length !== b.length) return 1;
        let differ = 0;
        for (let at = 0; at < a.length; at += 4) {
          const off = [0, 1, 2].map((part) => Math.abs((a[at + part] ?? 0) - (b[at + part] ?? 0)));
          if (Math.max(...off) > 48) differ += 1;
        }
        return differ / (a.length / 4);
      },
      [png.buffer.toString("base64"), svg.buffer.toString("base64")],
    );
    expect([panel, unlike < 0.03]).toEqual([panel, true]);
    const text = svg.buffer.toString("utf8");
    expect(text).toContain(said[panel] ?? "wide");
    // Its label stands in the strip and in the chooser above it: once in a picture.
    if (panel === "Curves") expect(text.match(/GPUs held/g)).toHaveLength(1);
  }
});

test("a picture from elsewhere says that it holds no scenario, and nothing changes", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  await dropFile(bench, { name: "holiday.png", buffer: Buffer.from(pixel, "base64") });
  await expect(bench.alerts().first()).toContainText("holds no scenario");
  expect(await bench.digest()).toBe(digest);
});

test("jobs and series are saved with their units, as CSV and as Arrow", async ({ bench }) => {
  await openExport(bench);
  const csv = await save(bench, "Save CSV");
  expect(csv.name).toBe("A-short-job-behind-a-wide-one-jobs.csv");
  const [head, ...rows] = csv.buffer.toString("utf8").trim().split("\r\n");
  expect(head).toBe(
    "job_id,name,user,team,tier,gpus,submit_ms,work_ms,limit_ms,first_start_ms,last_end_ms,wait_ms,runs,state",
  );
  expect(rows).toHaveLength(4);
  const arrow = await save(bench, "Save Arrow");
  expect(arrow.buffer.subarray(0, 6).toString("latin1")).toBe("ARROW1");
  await bench.region("Data").getByLabel("Table").selectOption({ index: 2 });
  const series = await save(bench, "Save CSV");
  expect(series.buffer.toString("utf8").split("\r\n")[0]).toBe(
    "at_ms,tier,gpus_held,jobs_waiting,gpus_waited_for",
  );
});
