import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SearchBox } from "../../src/panels/search/SearchBox.tsx";
import { define } from "../../src/store/commands.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { searchHits } from "../../src/store/searchHits.ts";
import { useApp } from "../../src/store/store.ts";
import { busyJobs, fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const selected = () => {
  const { selection } = useApp.getState();
  return selection?.kind === "job" ? selection.jobIdx : -1;
};

beforeEach(() => {
  define("selectJob", {
    label: "Select",
    group: "select",
    run: ({ jobIdx }) => useApp.setState({ selection: { kind: "job", jobIdx } }),
  });
  const stage = fixtureStage(16, busyJobs(12, 60_000));
  useApp.setState({ scenario: fixtureScenario(16), selection: null, search: "" });
  runData.set({ stage, current: fixtureFuture(stage), ghost: null });
});
afterEach(() => {
  cleanup();
  runData.set({ stage: null, current: EMPTY_FUTURE });
});

test("says how many jobs are found and goes through them in a circle, forwards and backwards", async () => {
  render(<SearchBox />);
  const box = screen.getByRole("textbox", { name: "Search jobs" });
  await userEvent.type(box, "job:vit-huge");
  expect(screen.getByRole("status").textContent).toBe("2");
  await userEvent.keyboard("{Enter}");
  expect(selected()).toBe(3);
  expect(screen.getByRole("status").textContent).toBe("1 of 2");
  await userEvent.keyboard("{Enter}{Enter}");
  expect(selected()).toBe(3);
  await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
  expect(selected()).toBe(10);
});

test("the Gantt learns what is found, nothing found included, and that nothing is searched for any more", async () => {
  render(<SearchBox />);
  await userEvent.type(screen.getByRole("textbox", { name: "Search jobs" }), "job:vit-huge");
  expect([...(searchHits() ?? [])]).toEqual([3, 10]);
  await userEvent.type(screen.getByRole("textbox", { name: "Search jobs" }), "x");
  expect(searchHits()?.length).toBe(0);
  await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(searchHits()).toBeNull();
});

test("what is not found is said, and the buttons say why they do nothing", async () => {
  render(<SearchBox />);
  await userEvent.type(screen.getByRole("textbox"), "user:nobody");
  expect(screen.getByRole("status").textContent).toBe("no job");
  const next = screen.getByRole("button", { name: "Next hit" });
  expect(next.getAttribute("title")).toContain("nothing is found");
  await userEvent.click(next);
  expect(selected()).toBe(-1);
  await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(useApp.getState().search).toBe("");
});
