/** Somebody reads a log from another part of the world: by its own clock, in UTC, by their own, or by days. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";

const LOG: ScenarioInput = {
  ...BLOCKED,
  calendarStart: "2026-03-02T20:00:00",
  calendarUtcOffsetMin: -480,
};

test.use({ timezoneId: "Asia/Kolkata" });

test("times are shown by the log's clock, UTC, one's own or days; the choice stays on the device", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(LOG);
  await bench.seek(HOUR);
  const digest = await bench.digest();
  const clock = bench.button("Go to time");
  const axis = bench.page.getByRole("slider", { name: "Time cursor" });
  await expect(clock).toContainText("21:00");
  await clock.click();
  await bench.page.getByText("In UTC").click();
  await expect(axis).toContainText("Tue\u00a03\u00a0Mar\u00a005:00");
  await bench.page.keyboard.press("Escape");
  await expect(clock).toContainText("05:00");
  await expect(clock).toContainText("UTC");
  expect(await bench.digest(), "nothing is computed anew").toBe(digest);

  // By keyboard: from the field to the choices, and on to the reader's zone.
  await clock.focus();
  await bench.page.keyboard.press("Enter");
  await expect(bench.page.getByRole("radio", { name: /^In UTC/ })).toBeChecked();
  await bench.page.keyboard.press("Tab");
  await bench.page.keyboard.press("ArrowDown");
  await expect(axis).toContainText("10:30");
  await bench.page.keyboard.press("Escape");
  await bench.visit(bench.link());
  await expect(clock).toContainText("10:30");

  await clock.click();
  await bench.page.getByRole("textbox", { name: "Time to go to" }).fill("11:30");
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().cursorMs).toBe(2 * HOUR);
});

test("where the zone is not known only the calendar and days are offered, and it is said why", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open({ ...BLOCKED, calendarStart: "2026-03-02T20:00:00" });
  await bench.button("Go to time").click();
  const choices = bench.page.getByRole("group", { name: "Times are shown" });
  await expect(choices.getByRole("radio")).toHaveCount(2);
  await expect(choices).toContainText("Which zone its clock is in is not known");
  await choices.getByText("As days").click();
  await bench.page.keyboard.press("Escape");
  await expect(bench.button("Go to time")).toContainText("Day\u00a01");
});
