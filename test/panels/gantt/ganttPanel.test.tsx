import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Profiler } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeAxis } from "../../../src/panels/axis/TimeAxis.tsx";
import { GanttPanel } from "../../../src/panels/gantt/GanttPanel.tsx";
import { GanttTable } from "../../../src/panels/gantt/GanttTable.tsx";
import { Minimap } from "../../../src/panels/minimap/Minimap.tsx";
import { frameLoop } from "../../../src/render/frameLoop.ts";
import { type CommandArgs, define } from "../../../src/store/commands.ts";
import { EMPTY_FUTURE, runData } from "../../../src/store/runData.ts";
import { useApp } from "../../../src/store/store.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 8, gpusPerNode: 8, nodesPerLeaf: 4, rects: 300 });
const select = vi.fn<(args: CommandArgs["selectJob"]) => void>();
const seek = vi.fn<(args: CommandArgs["seek"]) => void>();

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(860);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  select.mockClear();
  seek.mockClear();
  define("selectJob", { label: "Select", group: "select", run: select });
  define("seek", { label: "Seek", group: "play", run: seek });
  const { chunks, open, knownMs, endMs } = record;
  runData.set({
    stage: record.stage,
    current: { ...EMPTY_FUTURE, generation: 1, chunks, open, knownMs, endMs, done: true },
    ghost: null,
  });
  useApp.setState({
    window: { fromMs: 0, toMs: endMs },
    cursorMs: Math.floor(endMs / 2),
    selection: null,
    hover: null,
    leafLevels: {},
  });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const LAYERS = [
  () => import("../../../src/panels/gantt/plan/PlanLayer.tsx"),
  () => import("../../../src/panels/gantt/heads/HeadLayer.tsx"),
  () => import("../../../src/panels/gantt/history/HistoryLayer.tsx"),
];

const plot = () => screen.getByRole("application", { name: /Who held which GPU/ });

test("arrow keys move from bar to bar, each is spoken, and Enter selects its job", async () => {
  render(<GanttPanel />);
  await frameLoop.idle();
  plot().focus();
  await userEvent.keyboard("{ArrowRight}");
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toMatch(
      /^Job \d+ .*, tier \w+, \d+\sGPUs?, node-\d\d, from Day/,
    ),
  );
  const first = useApp.getState().hover;
  expect(first?.kind).toBe("job");
  await userEvent.keyboard("{ArrowRight}");
  expect(useApp.getState().hover).not.toEqual(first);
  await userEvent.keyboard("{Enter}");
  const hover = useApp.getState().hover;
  expect(select).toHaveBeenCalledWith({ jobIdx: hover?.kind === "job" ? hover.jobIdx : -1 });
});

test("Home and End lead to the first and the last bar of the row", async () => {
  render(<GanttPanel />);
  await frameLoop.idle();
  plot().focus();
  await userEvent.keyboard("{ArrowRight}{End}{Enter}{Home}{Enter}");
  const [last, first] = select.mock.calls.map(([args]) => args.jobIdx);
  const startOf = (jobIdx: number) => {
    for (const { rects } of [...record.chunks, record.open]) {
      const at = rects.jobIdx.indexOf(jobIdx);
      if (at >= 0) return rects.startMs[at]!;
    }
    return Number.NaN;
  };
  expect(startOf(first!)).toBeLessThan(startOf(last!));
});

test("Ctrl and the wheel zoom time at the pointer, Shift and the wheel pan", async () => {
  render(<GanttPanel />);
  await frameLoop.idle();
  const before = useApp.getState().window;
  fireEvent.wheel(plot(), { deltaY: -200, ctrlKey: true, clientX: 860 + 430, clientY: 20 });
  const zoomed = useApp.getState().window;
  expect(zoomed.toMs - zoomed.fromMs).toBeLessThan(before.toMs - before.fromMs);
  expect((zoomed.fromMs + zoomed.toMs) / 2).toBeCloseTo(record.endMs / 2, -3);
  fireEvent.wheel(plot(), { deltaY: 50, shiftKey: true });
  expect(useApp.getState().window.fromMs).toBeGreaterThan(zoomed.fromMs);
});

test("panning, hovering and moving the cursor render nothing in React", async () => {
  let commits = 0;
  const counted = () => {
    commits += 1;
  };
  render(
    <Profiler id="gantt" onRender={counted}>
      <Minimap />
      <GanttPanel />
    </Profiler>,
  );
  // The layers come as chunks of their own; what they render when they arrive is not what panning renders.
  await act(async () => {
    await Promise.all(LAYERS.map((layer) => layer()));
  });
  await frameLoop.idle();
  const before = commits;
  for (let i = 0; i < 20; i++) {
    fireEvent.wheel(plot(), { deltaY: 20, shiftKey: true });
    fireEvent.pointerMove(plot(), { clientX: 900 + i * 10, clientY: 30 });
    useApp.setState({ cursorMs: 1_000 * i });
    await frameLoop.idle();
  }
  expect(commits).toBe(before);
});

test("a panel without a run says so and offers the library", () => {
  runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null });
  render(<GanttPanel />);
  expect(screen.getByText("Nothing runs yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Open the library" })).toBeTruthy();
});

test("the run table lists the runs of the window, sorts them and selects", async () => {
  render(<GanttTable />);
  const rows = () => screen.getAllByRole("row").slice(1);
  expect(screen.getByText(/\d+\sruns from/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "GPUs" }));
  await userEvent.click(screen.getByRole("button", { name: /^GPUs/ }));
  const gpus = rows().map((row) => Number(within(row).getAllByRole("gridcell")[3]!.textContent));
  expect(gpus.length).toBeGreaterThan(5);
  const sorted = screen.getByRole("columnheader", { name: /^GPUs/ }).getAttribute("aria-sort");
  expect(gpus).toEqual(gpus.toSorted((a, b) => (sorted === "descending" ? b - a : a - b)));
  await userEvent.click(rows()[2]!);
  expect(select).toHaveBeenCalledTimes(1);
});

test("the time cursor is a slider: arrows move it by a hundredth of the window, End to the end of the run", async () => {
  render(<TimeAxis />);
  await frameLoop.idle();
  const slider = screen.getByRole("slider", { name: "Time cursor" });
  expect(slider.getAttribute("aria-valuetext")).toMatch(/^Day/);
  slider.focus();
  await userEvent.keyboard("{ArrowRight}{End}");
  expect(seek.mock.calls[0]![0].atMs).toBe(
    Math.round(Math.floor(record.endMs / 2) + record.endMs / 100),
  );
  expect(seek.mock.calls[1]![0].atMs).toBe(record.endMs);
});

test("the ends of the window can be moved by keyboard and say where they are", async () => {
  render(<Minimap />);
  await frameLoop.idle();
  const end = screen.getByRole("slider", { name: "End of the window" });
  end.focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  const { window } = useApp.getState();
  expect(window.fromMs).toBe(0);
  expect(window.toMs).toBeLessThan(record.endMs);
  expect(end.getAttribute("aria-valuetext")).toMatch(/shown$/);
});
