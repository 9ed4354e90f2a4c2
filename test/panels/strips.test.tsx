import { act, cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CurvesPanel } from "../../src/panels/curves/CurvesPanel.tsx";
import { QueuesPanel } from "../../src/panels/queues/QueuesPanel.tsx";
import { frameLoop } from "../../src/render/frameLoop.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";
import { fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const job = (submitMin: number, tier: number, gpus: number, workMin: number) => ({
  submitMs: submitMin * MINUTE,
  gpus,
  workMs: workMin * MINUTE,
  limitMs: 200 * MINUTE,
  tier,
  name: "vit",
});
const stage = fixtureStage(2, [job(0, 0, 16, 60), job(5, 2, 8, 20), job(9, 2, 16, 20)]);
const quicker = fixtureStage(2, [job(0, 0, 16, 20), job(5, 2, 8, 20), job(9, 2, 16, 20)]);
const plain = (element: Element | null | undefined) =>
  (element?.textContent ?? "").replaceAll("\u00a0", " ");
const frame = () => act(() => frameLoop.idle());

beforeEach(() => {
  // Without a canvas only the numbers are left, which is what these tests are about.
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  useApp.setState({
    scenario: fixtureScenario(2),
    cursorMs: 30 * MINUTE,
    selection: null,
    hover: null,
    ghostShown: true,
  });
  runData.set({ stage, current: fixtureFuture(stage, 2), ghost: null });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null });
});

describe("the queue strip", () => {
  const rowOf = (name: string) =>
    plain(within(screen.getByRole("region", { name: "Queues" })).getByText(name).parentElement);

  test("its gutter says what each tier holds, how many wait and since when, at the cursor", async () => {
    render(<QueuesPanel />);
    await frame();
    expect(rowOf("Critical")).toBe("CCritical16––");
    expect(rowOf("Normal")).toBe("NNormal0225 m");
  });

  test("the numbers follow the cursor without React", async () => {
    render(<QueuesPanel />);
    await frame();
    const row = screen.getByText("Normal").parentElement;
    useApp.setState({ cursorMs: 61 * MINUTE });
    await new Promise((resolve) => setTimeout(resolve, 160));
    await frameLoop.idle();
    expect(plain(row)).toBe("NNormal8152 m");
  });
});

describe("the curves", () => {
  const values = () =>
    [...screen.getByRole("region", { name: /held and waited for/ }).querySelectorAll("[data-part]")]
      .map(plain)
      .slice(0, 6);

  test("say what is held and waited for at the cursor", async () => {
    render(<CurvesPanel />);
    await frame();
    expect(values()).toEqual(["16", "", "", "24", "", ""]);
  });

  test("with a ghost, the value before the change and the signed difference, from the change on", async () => {
    runData.set({ ghost: fixtureFuture(quicker, 2), ghostFromMs: 25 * MINUTE });
    useShell.setState({ ghostOf: 2 });
    render(<CurvesPanel />);
    await frame();
    expect(values()).toEqual(["16", "8", "+8", "24", "16", "+8"]);
    expect(screen.getAllByText("before ②")).toHaveLength(2);
    useApp.setState({ cursorMs: 24 * MINUTE });
    await frame();
    expect(values()).toEqual(["16", "", "", "24", "", ""]);
  });
});
