// @vitest-environment jsdom
import { beforeAll, expect, test } from "vitest";
import type { Action } from "../../src/app/actions.ts";
import { embeddedPanels, keepToPanels } from "../../src/app/embedded.ts";
import { useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";
import { fixtureScenario } from "../panels/runFixture.ts";

let actions: readonly Action[] = [];
beforeAll(async () => {
  const commands = await Promise.all([
    import("../../src/app/commands/view.ts").then((m) => m.defineViewCommands),
    import("../../src/app/commands/edit.ts").then((m) => m.defineEditCommands),
    import("../../src/app/commands/compare.ts").then((m) => m.defineCompareCommands),
  ]);
  for (const define of commands) define();
  const { defineFileCommands } = await import("../../src/app/commands/file.ts");
  defineFileCommands({} as Parameters<typeof defineFileCommands>[0]);
  keepToPanels();
  actions = (await import("../../src/app/actions.ts")).allActions();
  useApp.setState({ scenario: fixtureScenario(2) });
});

test("the address names the panels; what no panel is called counts for nothing", () => {
  expect(embeddedPanels("?embed=curves,gantt")).toEqual(["curves", "gantt"]);
  expect(embeddedPanels("?embed=nonsense,map")).toEqual(["map"]);
  expect(embeddedPanels("?embed=toString")).toEqual([]);
  expect(embeddedPanels("")).toEqual([]);
});

test("in embedded panels no action changes what stands beside or over them", () => {
  const around = () => {
    const { drawer, side, comparing } = useApp.getState();
    const { dialog, full, presenting, mapTable } = useShell.getState();
    return { drawer, side, comparing, dialog, full, presenting, mapTable };
  };
  const before = around();
  const acting = actions.filter(({ id }) => !/^(set|cancelRun|resumeRun|copyLink)/.test(id));
  for (const action of acting) {
    action.run();
    expect(around(), action.id).toEqual(before);
  }
  expect(acting.length).toBeGreaterThan(40);
});

test("time and camera still follow the keys", () => {
  const enabled = actions.filter((action) => action.disabled() === null).map(({ id }) => id);
  expect(enabled).toEqual(expect.arrayContaining(["zoom.in", "pan.left", "fitAll"]));
});
