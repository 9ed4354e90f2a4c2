import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { QueueTable } from "../../src/panels/queues/QueueTable.tsx";
import { type CommandArgs, define } from "../../src/store/commands.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { type FixtureJob, fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const job = (submitMin: number, tier: number, limitMin: number): FixtureJob => ({
  submitMs: submitMin * MINUTE,
  gpus: 16,
  workMs: 10 * MINUTE,
  limitMs: limitMin * MINUTE,
  tier,
  name: "vit",
  user: 1,
});
const select = vi.fn<(args: CommandArgs["selectJob"]) => void>();

function show(
  jobs: readonly FixtureJob[],
  cursorMin: number,
  settings: Record<string, string> = {},
): void {
  const stage = fixtureStage(2, jobs);
  const scenario = fixtureScenario(2);
  const pools = scenario.pools.map((pool) => ({ ...pool, policy: { preset: "lab", settings } }));
  useApp.setState({
    scenario: { ...scenario, pools, interventions: [] },
    cursorMs: cursorMin * MINUTE,
    selection: null,
  });
  runData.set({ stage, current: fixtureFuture(stage, 2), ghost: null });
  render(<QueueTable />);
}

/** Ids of the rows shown, in order. */
const ids = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("gridcell")[1]?.textContent?.split(" ")[0]);

beforeEach(() => {
  select.mockClear();
  define("selectJob", { label: "Select", group: "select", run: select });
  define("openSide", {
    label: "Open",
    group: "edit",
    run: ({ side }) => useApp.setState({ side }),
  });
  // jsdom lays nothing out: give the scroller a height, so that rows are virtual as in a browser.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(240);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runData.set({ stage: null, current: EMPTY_FUTURE });
});

const FOUR = [job(0, 0, 60), job(1, 2, 90), job(2, 0, 30), job(3, 3, 20)];

describe("the queue table", () => {
  test("lists who waits at the cursor, longest first under first come first served, with the reason in words", () => {
    show(FOUR, 5);
    expect(ids()).toEqual(["2", "3", "4"]);
    const first = within(screen.getAllByRole("row")[1]!)
      .getAllByRole("gridcell")
      .map((cell) => cell.textContent?.replaceAll("\u00a0", " "));
    expect(first.slice(4, 8)).toEqual(["16", "4 m", "1 h 30 m", "too few free"]);
  });

  test("follows the order rule of the policy: tiers, and shortest first", () => {
    show(FOUR, 5, { order: "tiers" });
    expect(ids()).toEqual(["3", "2", "4"]);
    cleanup();
    show(FOUR, 5, { order: "shortest" });
    expect(ids()).toEqual(["4", "3", "2"]);
  });

  test("sorts by a column and says so", async () => {
    show(FOUR, 5);
    await userEvent.click(screen.getByRole("button", { name: /limit/ }));
    const order = screen.getByRole("columnheader", { name: /limit/ }).getAttribute("aria-sort");
    expect(ids()).toEqual(order === "descending" ? ["2", "3", "4"] : ["4", "3", "2"]);
    expect(order).not.toBe("none");
  });

  test("filters by tier; an empty result says which filter and clears it", async () => {
    // One of High comes later: nobody of it waits yet.
    show([...FOUR, job(50, 1, 60)], 5);
    await userEvent.click(screen.getByRole("button", { name: "Only tier Critical" }));
    expect(ids()).toEqual(["3"]);
    await userEvent.click(screen.getByRole("button", { name: "Only tier High" }));
    expect(screen.getByText("No waiting job matches tier =High.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(ids()).toHaveLength(3);
  });

  test("a tier that no job is in is not offered", () => {
    show(FOUR, 5);
    expect(screen.getByRole("button", { name: "Only tier Low" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Only tier High" })).toBeNull();
  });

  test("a click selects the job; arrows and Enter do so without a mouse", async () => {
    show(FOUR, 5);
    await userEvent.click(screen.getAllByRole("row")[2]!);
    expect(select).toHaveBeenLastCalledWith({ jobIdx: 2 });
    screen.getByRole("grid").focus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(select).toHaveBeenLastCalledWith({ jobIdx: 3 });
  });

  test("when nobody waits it says when, and offers to add load", async () => {
    show(FOUR, 100);
    expect(screen.getByText(/No job waits at Day.1.01:40/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Inject a job" }));
    expect(useApp.getState().side).toBe("inject");
  });

  test("of a long queue only the rows in view are in the page", () => {
    show(
      Array.from({ length: 3_000 }, (_, index) => job(index / 1_000, 1, 60)),
      5,
    );
    expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe("3000");
    expect(screen.getAllByRole("row").length).toBeLessThan(60);
  });
});
