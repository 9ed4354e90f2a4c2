/** A platform engineer opens the map of the cluster: what stands where, what still fits, what a gang's links cost, and acts on a node. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import type { Workbench } from "../support/workbench.ts";

/** From the name of a node down to its devices. */
const DEVICE_CSS = 32;

const ground = (bench: Workbench) =>
  bench.page.getByRole("application", { name: /^Map of the cluster/ });
const panel = (bench: Workbench) => bench.region("Map of the cluster");

async function openMap(bench: Workbench): Promise<void> {
  await bench.press("Escape", "n");
  await expect(ground(bench)).toBeVisible();
  await bench.idle();
}

/** Moves the pointer over the map until the words beside it are about a place; −1 … where it is found. */
async function pointAt(bench: Workbench, title: string): Promise<{ x: number; y: number }> {
  const box = await ground(bench).boundingBox();
  if (!box) throw new Error("no map");
  const tip = bench.page.locator(".map-tip b");
  for (let y = box.y + 10; y < box.y + box.height; y += 16)
    for (let x = box.x + 10; x < box.x + box.width; x += 40) {
      await bench.page.mouse.move(x, y);
      if ((await tip.count()) > 0 && (await tip.textContent()) === title) return { x, y };
    }
  throw new Error(`${title} is nowhere on the map`);
}

const library = (id: string) => {
  const found = libraryScenarios().find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found.scenario;
};

test("with the mouse: a node, the job on it, and a drain from its menu", async ({ bench }) => {
  await bench.visit();
  await openMap(bench);
  const edge = await pointAt(bench, "h100-001");
  const { x, y } = { x: edge.x, y: edge.y + DEVICE_CSS };
  await bench.page.mouse.click(x, y);
  await bench.idle();
  expect(bench.view().selection).toMatchObject({ kind: "node", node: 1 });
  await bench.page.mouse.click(x, y);
  await bench.idle();
  expect(bench.view().selection).toMatchObject({ kind: "job" });
  await expect(panel(bench)).toContainText(
    "llm-70b: 32 GPUs on 4 nodes under 1 leaf. It could not stand closer.",
  );
  await bench.page.mouse.click(x, y, { button: "right" });
  await bench.page.getByRole("menuitem", { name: /^Drain \(cordon\) h100-001/ }).click();
  await bench.idle();
  const drained = await bench.scenario();
  expect(drained.interventions).toMatchObject([{ kind: "drain", nodes: ["h100-001"] }]);
  await bench.press("Control+z");
  await bench.idle();
  await bench.page.mouse.click(x, y, { button: "right" });
  await bench.page.getByRole("menuitem", { name: /^Label h100-001 from .*none yet/ }).click();
  await bench.page.getByLabel("Labels", { exact: true }).fill("zone=b");
  await bench.apply();
  const card = bench.page.getByRole("article", { name: "Node h100-001" });
  await expect(card).toContainText("zone=b");
  await bench.press("Control+z");
  await bench.idle();
  await expect(card).not.toContainText("zone=b");
  await bench.page.mouse.click(x, y, { button: "right" });
  await bench.page.getByRole("menuitem", { name: /^Drain and evict h100-001/ }).click();
  await bench.idle();
  const evicted = await bench.scenario();
  expect(evicted.interventions).toMatchObject([
    { kind: "drain", nodes: ["h100-001"] },
    { kind: "requeue", job: "llm-70b" },
  ]);
});

test("with the keyboard: from node to node, up to the switch, and what lies there is said", async ({
  bench,
}) => {
  await bench.visit();
  await openMap(bench);
  await ground(bench).focus();
  const said = panel(bench).locator(".map-live");
  await bench.press("ArrowRight");
  await expect(said).toContainText("h100-000. 8 of 8 GPUs held; nothing more fits");
  await bench.press("Enter");
  expect(bench.view().selection).toMatchObject({ kind: "node", node: 0 });
  await bench.press("Enter");
  expect(bench.view().selection).toMatchObject({ kind: "job" });
  for (let up = 0; up < 8; up++) await bench.press("ArrowUp");
  await expect(said).toContainText("Largest gang that fits: 0 GPUs");
  await bench.press("ArrowRight");
  await expect(said).toContainText(
    "Largest gang that fits: 20 GPUs; on one node 8, in whole nodes 2",
  );
  await bench.press("Enter");
  expect(bench.view().selection).toEqual({ kind: "leaf", leaf: 1 });
  await bench.press("Enter", "0", "+", "-");
  await expect(ground(bench)).toBeFocused();
});

test("the table has the same places; the link keeps the map; no violation", async ({ bench }) => {
  await bench.visit();
  await openMap(bench);
  expect(bench.view().panels?.drawer).toBe("map");
  const seen = await new AxeBuilder({ page: bench.page }).include(".map-panel").analyze();
  expect(seen.violations).toEqual([]);
  await panel(bench).getByRole("button", { name: "Table", exact: true }).click();
  const grid = bench.page.getByRole("grid", { name: "Places of the cluster at the cursor" });
  await expect(grid.getByRole("row").nth(1)).toContainText("32 of 32");
  await grid.focus();
  await bench.press("ArrowDown", "Enter");
  expect(bench.view().selection).toMatchObject({ kind: "node", node: 0 });
  const table = await new AxeBuilder({ page: bench.page }).include(".map-panel").analyze();
  expect(table.violations).toEqual([]);
  await bench.page.reload();
  await bench.idle();
  await expect(ground(bench)).toBeVisible();
});

/** Pixels of the Gantt's bars that are not empty. */
const inkOfGantt = (bench: Workbench) =>
  bench.page.evaluate(() => {
    const bars = document.querySelector<HTMLCanvasElement>("canvas.gantt-plot");
    const { data } = bars!.getContext("2d")!.getImageData(0, 0, bars!.width, bars!.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });

test("the Gantt is drawn again after the map; contention is offered where the network is modelled, and says why not elsewhere", async ({
  bench,
}) => {
  await bench.visit();
  const drawn = await inkOfGantt(bench);
  await openMap(bench);
  await bench.press("n");
  await expect(ground(bench)).toBeHidden();
  await bench.idle();
  expect(await inkOfGantt(bench)).toBe(drawn);
  await openMap(bench);
  const mode = panel(bench).getByRole("combobox", { name: "Colour the map by" });
  await expect(mode.getByRole("option", { name: /^Contention/ })).toHaveText(
    "Contention: the scenario models no network",
  );
  await expect(mode.getByRole("option", { name: /^Contention/ })).toBeDisabled();
  await bench.open(library("lab-network"));
  await bench.seek(30 * 60_000);
  await bench.select("moe-a");
  await mode.selectOption("contention");
  await expect(panel(bench)).toContainText("would be about 43 m shorter");
  const leaf = await pointAt(bench, "Leaf 0");
  await expect(bench.page.locator(".map-tip")).toContainText("Asked for 2.0 × of it");
  await bench.page.mouse.click(leaf.x, leaf.y);
  const card = bench.page.getByRole("article", { name: "Leaf 0" });
  await expect(card).toContainText("could use 2.0 × what they carry");
  await expect(card.getByRole("list", { name: "Gangs that cross the uplinks" })).toContainText(
    "of 32 GPUs here",
  );
});
