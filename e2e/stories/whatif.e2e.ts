/** Somebody whose job waits asks what would start it now; somebody who has not submitted yet asks when a job would start. */
import { expect, test } from "../base.ts";

test("single changes are run before they are told; one is made with a button, by keyboard", async ({
  bench,
}) => {
  await bench.visit();
  await bench.button("What would start it now?").focus();
  await bench.page.keyboard.press("Enter");
  const answers = bench.region("What would start it now");
  await expect(answers).toContainText("Each alone would", { timeout: 30_000 });
  await expect(answers).toContainText("EASY backfill");
  await expect(answers).toContainText("5 more nodes of 8 GPUs");
  await expect(answers).toContainText("No help: a time limit of 20 m instead of 40 m; tier High.");
  await answers.getByRole("button", { name: "Do it" }).focus();
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  await expect(bench.page.locator("[data-panel=inspector]")).toContainText("Starts now");
  await bench.undo();
  expect((await bench.scenario()).interventions).toEqual([]);
});

test("a job that is not submitted yet is tried beside the run, and nothing is changed", async ({
  bench,
}) => {
  await bench.visit();
  const before = await bench.digest();
  await bench.editor("Inject");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("GPUs", { exact: true }).fill("2");
  await form.getByRole("button", { name: "When would it start?" }).click();
  await expect(form.locator(".when-start")).toContainText(/It would start at .* after/, {
    timeout: 20_000,
  });
  const said = (await form.locator(".when-start [role=status]").textContent()) ?? "";
  expect(await bench.digest()).toBe(before);
  await bench.apply();
  // What was tried is what comes.
  const { interventions = [] } = await bench.scenario();
  const id = interventions[0]?.kind === "inject" ? interventions[0].job.id : "";
  const startMs = await bench.startMs(id);
  const minutes = 8 * 60 + Math.floor(startMs / 60_000);
  const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  expect(said).toContain(clock);
});
