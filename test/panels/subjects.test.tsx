/** Cards of a device, a team and a decision, and the log in its drawer. */
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ShareRow } from "../../src/model/lab/shares.ts";
import { DecisionDrawer } from "../../src/panels/decisions/DecisionDrawer.tsx";
import { SubjectCard } from "../../src/panels/inspector/subjects/SubjectCard.tsx";
import {
  bookLines,
  grantLines,
  standingWords,
} from "../../src/panels/inspector/subjects/teamWords.ts";
import { define } from "../../src/store/commands.ts";
import { connectExplain } from "../../src/store/explain.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import type { Selection } from "../../src/store/state.ts";
import { useApp } from "../../src/store/store.ts";
import { fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const jobs = [0, 1, 2, 3].map((order) => ({
  submitMs: order * MINUTE,
  gpus: 16,
  workMs: 10 * MINUTE,
  limitMs: 20 * MINUTE,
  tier: order % 2,
  name: `job-${order}`,
}));
const stage = fixtureStage(2, jobs);
const future = fixtureFuture(stage, 2);
const plain = (element: Element) => (element.textContent ?? "").replaceAll("\u00a0", " ");

function card(selection: NonNullable<Selection>, atMs: number) {
  return render(
    <SubjectCard
      stage={stage}
      future={future}
      atMs={atMs}
      calendar={undefined}
      selection={selection}
    />,
  );
}

const NO_ROW: ShareRow = {
  per: "team",
  index: 0,
  gpusHeld: 16,
  gpusWaited: Number.NaN,
  gpusDue: 8,
  gpusBorrowed: 8,
  gpusLent: Number.NaN,
  usageGpuHours: 2.5,
  factor: 0.25,
  credits: Number.NaN,
};

beforeEach(() => {
  useApp.setState({ scenario: fixtureScenario(2), cursorMs: 0, selection: null });
  runData.set({ stage, current: future, ghost: null });
  define("selectDecision", {
    label: "Select a decision",
    group: "select",
    run: ({ selection, atMs }) => useApp.setState({ selection, cursorMs: atMs }),
  });
  define("selectGpu", {
    label: "Select a device",
    group: "select",
    run: ({ device }) => useApp.setState({ selection: { kind: "gpu", device } }),
  });
  connectExplain({
    explain: () => Promise.resolve(null),
    shares: () => Promise.resolve([NO_ROW]),
  });
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(240);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runData.set({ stage: null, current: EMPTY_FUTURE });
  useApp.setState({ selection: null });
});

describe("the card of a device", () => {
  test("says who holds it, for how long, and who held it before", () => {
    card({ kind: "gpu", device: 9 }, 12 * MINUTE);
    const article = screen.getByRole("article", { name: "GPU 1 of node-02" });
    expect(plain(article)).toContain("Held by job 2 job-1 for 2 m.");
    expect(plain(article)).toContain("Held 100 % of the time so far.");
    expect(plain(screen.getByRole("list", { name: "Who held it before" }))).toContain(
      "1 job-0Day 1 00:00, 10 m",
    );
  });

  test("that nobody holds is free, and leads to its neighbours on the node alone", async () => {
    card({ kind: "gpu", device: 8 }, 60 * MINUTE);
    expect(plain(screen.getByRole("article"))).toContain("Free.");
    const before = screen.getByRole("button", { name: "Previous GPU of the node" });
    expect(before.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(screen.getByRole("button", { name: "Next GPU of the node" }));
    expect(useApp.getState().selection).toEqual({ kind: "gpu", device: 9 });
  });
});

test("the card of a leaf says which gangs reach beyond it, and that no network is modelled", () => {
  card({ kind: "leaf", leaf: 0 }, 5 * MINUTE);
  const article = screen.getByRole("article", { name: "Leaf L1" });
  expect(plain(article)).toContain("No gang crosses its uplinks now.");
  expect(plain(article)).toContain("not modelled: the scenario has no network");
});

describe("the card of a team", () => {
  test("says what it uses of what is due to it, with its jobs", async () => {
    card({ kind: "team", team: 0 }, 5 * MINUTE);
    await waitFor(() =>
      expect(plain(screen.getByRole("article"))).toContain(
        "Uses 16 GPUs: all 8 that are due to it and 8 borrowed.",
      ),
    );
    expect(plain(screen.getByRole("list", { name: "Running" }))).toContain("16 GPUs");
    expect(screen.getByRole("list", { name: "Waiting" }).children).toHaveLength(3);
  });

  test("names what the document grants, and what does not apply is left out", () => {
    const team = { id: "a", name: "A", shares: 3, quotaGpus: 8, borrowGpus: Infinity };
    const teams = [team, { id: "b", name: "B", shares: 1 }];
    expect(grantLines(team, teams, "GPU").map((line) => line.join(": "))).toEqual([
      "Quota: 8 GPUs",
      "May borrow: without limit",
      "Shares: 3 of 4, 75\u00a0%",
    ]);
    expect(bookLines(NO_ROW, "GPU").map(([name]) => name)).toEqual([
      "Due to it",
      "Borrowed",
      "Used so far, fading",
      "Fair-share factor",
    ]);
  });

  test("stands below, at, above what is due, or has nothing due", () => {
    expect(standingWords(3, 8, 0, 0, "GPU")).toBe("Uses 3 GPUs of 8 due to it.");
    expect(standingWords(0, 32, 0, 24, "GPU")).toBe(
      "Uses 0 GPUs of 32 due to it; 24 of the rest are lent to others.",
    );
    expect(standingWords(8, 8, 0, 0, "GPU")).toBe("Uses 8 GPUs, just what is due to it.");
    expect(standingWords(9, 8, 0, 0, "GPU")).toBe("Uses 9 GPUs, 1 more than the 8 due to it.");
    expect(standingWords(1, Number.POSITIVE_INFINITY, 0, 0, "GPU")).toBe("Uses 1 GPU.");
  });
});

describe("the card of a decision", () => {
  test("says it in the words of the log, which the live region says too, and leads to the next", async () => {
    card({ kind: "job", jobIdx: 0, decision: 0 }, 0);
    const article = screen.getByRole("article", { name: "Decision" });
    expect(plain(article)).toContain("Decision at Day 1 00:00");
    expect(within(article).getByRole("status").textContent).toBe("Started in its turn");
    const before = within(article).getByRole("button", { name: "Decision before it" });
    expect(before.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(within(article).getByRole("button", { name: "Decision after it" }));
    expect(useApp.getState().selection).toMatchObject({ kind: "job", jobIdx: 1, decision: 1 });
  });

  test("that the run does not have is said to be none", () => {
    card({ kind: "decision", decision: 9_999 }, 0);
    expect(plain(screen.getByRole("article"))).toBe("This run has no such decision.");
  });
});

describe("the log in its drawer", () => {
  const rows = () => screen.getAllByRole("row").slice(1);

  test("lists every decision, marks the one at the cursor, and a step takes the cursor to the next", async () => {
    render(<DecisionDrawer />);
    await waitFor(() => expect(screen.getByRole("grid")).toBeTruthy());
    const total = future.chunks.reduce((sum, { decisions }) => sum + decisions.atMs.length, 0);
    expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe(String(total + 1));
    await userEvent.click(screen.getByRole("button", { name: "Next decision of the list" }));
    const { selection, cursorMs } = useApp.getState();
    expect(selection).toMatchObject({ kind: "job", jobIdx: 1, decision: 1 });
    expect(cursorMs).toBe(MINUTE);
    expect(rows().find((row) => row.getAttribute("aria-selected") === "true")).toBe(rows()[1]);
  });

  test("by keyboard: arrows move along the rows, Enter takes the cursor to one", async () => {
    render(<DecisionDrawer />);
    await waitFor(() => expect(screen.getByRole("grid")).toBeTruthy());
    act(() => screen.getByRole("grid").focus());
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(useApp.getState().selection).toMatchObject({ decision: 2 });
  });

  test("a filter narrows the list and the steps; a filter that fits nothing says so", async () => {
    render(<DecisionDrawer />);
    await waitFor(() => expect(screen.getByRole("grid")).toBeTruthy());
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Kind" }), "starts");
    await waitFor(() => expect(rows()).toHaveLength(4));
    await userEvent.click(screen.getByRole("button", { name: "Next decision of the list" }));
    expect(useApp.getState().selection).toMatchObject({ kind: "job", jobIdx: 1 });
    expect(useApp.getState().cursorMs).toBe(10 * MINUTE);
    await userEvent.type(screen.getByRole("searchbox"), "nobody");
    await waitFor(() => expect(screen.getByText("No decision is like that.")).toBeTruthy());
  });
});
