import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Explanation } from "../../src/engine/view.ts";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { InspectorColumn } from "../../src/panels/inspector/InspectorColumn.tsx";
import { type CommandArgs, define } from "../../src/store/commands.ts";
import { connectExplain } from "../../src/store/explain.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const stage = fixtureStage(2, [
  {
    submitMs: 0,
    gpus: 16,
    workMs: 60 * MINUTE,
    limitMs: 90 * MINUTE,
    tier: 0,
    name: "moe",
    user: 0,
  },
  {
    submitMs: 5 * MINUTE,
    gpus: 16,
    workMs: 10 * MINUTE,
    limitMs: 20 * MINUTE,
    tier: 2,
    name: "vit",
    user: 1,
  },
]);
const future = fixtureFuture(stage, 2);
const explanation: Explanation = {
  reason: WaitReasonCode.resources,
  gpusNeeded: 16,
  gpusFree: 0,
  unit: "nodes",
  unitsNeeded: 2,
  unitsFree: 0,
  position: 0,
  headJobIdx: -1,
  reservedForJobIdx: -1,
  plannedMs: 90 * MINUTE,
  plannedNodes: [0, 1],
  frees: [{ jobIdx: 0, atMs: 90 * MINUTE, units: 2 }],
};
const plain = (element: HTMLElement) => (element.textContent ?? "").replaceAll("\u00a0", " ");
const intervene = vi.fn<(args: CommandArgs["intervene"]) => void>();
const remove = vi.fn<(args: CommandArgs["removeIntervention"]) => void>();

// Later chunks of the column: fetched before, so that no test waits for the disk.
beforeAll(async () => {
  await import("../../src/panels/inspector/NumbersTable.tsx");
  await import("../../src/panels/inspector/NodeCard.tsx");
  await import("../../src/panels/inspector/changes/ChangeRows.tsx");
});

beforeEach(() => {
  intervene.mockClear();
  remove.mockClear();
  define("intervene", { label: "Change", group: "edit", run: intervene });
  define("removeIntervention", { label: "Remove", group: "edit", run: remove });
  define("selectJob", {
    label: "Select",
    group: "select",
    run: ({ jobIdx }) => useApp.setState({ selection: { kind: "job", jobIdx } }),
  });
  define("openSide", {
    label: "Open",
    group: "edit",
    run: ({ side }) => useApp.setState({ side }),
  });
  connectExplain({ explain: () => Promise.resolve(explanation) });
  useApp.setState({
    scenario: fixtureScenario(2),
    baseId: null,
    cursorMs: 30 * MINUTE,
    selection: { kind: "job", jobIdx: 1 },
    side: "inspector",
  });
  runData.set({ stage, current: future, ghost: null });
});
afterEach(() => {
  cleanup();
  runData.set({ stage: null, current: EMPTY_FUTURE, ghost: null });
});

describe("a waiting job", () => {
  test("says at once why by the recorded reason, then with the numbers of the scheduler", async () => {
    render(<InspectorColumn />);
    const card = screen.getByRole("article", { name: "Job 2 vit" });
    expect(plain(card)).toContain("Waits 25 m: too few free.");
    await within(card).findByText(/^Waits.*2.whole.nodes needed, 0 free/, { selector: "b" });
    expect(plain(card)).toContain("Reserved for 01:30 on the dotted nodes.");
    expect(
      within(card)
        .getByRole("meter", { name: /whole nodes needed/ })
        .getAttribute("aria-valuemax"),
    ).toBe("2");
    const frees = within(card).getByRole("region", { name: "What frees the rest" });
    expect(plain(frees)).toContain("really ends Day 1 01:00");
    expect(plain(card)).toContain("In this run it starts at 01:00, in 30 m.");
  });

  test("an answer to a job that is no longer selected is never shown", async () => {
    let answer: (value: Explanation) => void = () => undefined;
    connectExplain({
      explain: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    render(<InspectorColumn />);
    await new Promise((resolve) => setTimeout(resolve, 200));
    useApp.setState({ selection: { kind: "job", jobIdx: 0 } });
    await screen.findByRole("article", { name: "Job 1 moe" });
    answer(explanation);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByText(/whole nodes needed/)).toBeNull();
  });

  test("a question that fails says so beside the reason, which stays", async () => {
    connectExplain({ explain: () => Promise.reject(new Error("worker stopped")) });
    render(<InspectorColumn />);
    expect((await screen.findByRole("alert")).textContent).toContain("worker stopped");
    expect(plain(screen.getByRole("article"))).toContain("too few free");
  });

  test("can be cancelled and moved to another tier from the cursor on", async () => {
    render(<InspectorColumn />);
    await userEvent.click(screen.getByRole("button", { name: "Cancel job" }));
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({ kind: "cancel", job: "2" });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: /Tier/ }), "critical");
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({
      kind: "retier",
      job: "2",
      tier: "critical",
    });
  });
});

test("a change after the end of the run says that it changes nothing; a run that waits for ever says so", async () => {
  const late = {
    atMs: future.endMs + 1,
    kind: "policy" as const,
    policy: { preset: "lab", settings: { backfill: "none" } },
  };
  const scenario = fixtureScenario(2);
  useApp.setState({ scenario: { ...scenario, interventions: [late] }, selection: null });
  const waits = {
    fromMs: new Float64Array([0]),
    toMs: new Float64Array([Number.POSITIVE_INFINITY]),
    jobIdx: new Uint32Array([1]),
  };
  const open = { ...future.open!, waits };
  runData.set({ current: { ...future, done: true, open } });
  render(<InspectorColumn />);
  const changes = screen.getByRole("region", { name: "Changes to this run" });
  await waitFor(() =>
    expect(plain(changes)).toContain("after the end of this run: changes nothing"),
  );
  expect(plain(screen.getByRole("article"))).toContain("1 job still waits when this run ends");
  expect(plain(screen.getByRole("article"))).toContain("nothing that would start them is to come");
});

test("decisions up to the cursor are one click away, and each leads to its time", async () => {
  const seek = vi.fn<(args: CommandArgs["seek"]) => void>();
  define("seek", { label: "Seek", group: "play", run: seek });
  useApp.setState({ cursorMs: 65 * MINUTE });
  render(<InspectorColumn />);
  expect(screen.queryByText("Started in its turn")).toBeNull();
  await userEvent.click(await screen.findByText("Decisions up to the cursor"));
  const line = (await screen.findByText("Started in its turn")).closest("li")!;
  await userEvent.click(within(line).getByTitle("Go to this time"));
  expect(seek).toHaveBeenLastCalledWith({ atMs: 60 * MINUTE });
});

describe("right after another scenario was opened", () => {
  const other = fixtureStage(2, [
    { submitMs: 0, gpus: 16, workMs: 60 * MINUTE, limitMs: 90 * MINUTE, tier: 0, name: "first" },
    { submitMs: 0, gpus: 16, workMs: 60 * MINUTE, limitMs: 90 * MINUTE, tier: 2, name: "second" },
  ]);

  test("the card is of the job that is there now, so that a change acts on it", () => {
    render(<InspectorColumn />);
    // The run data have just changed: what is only more of the same run may rest a while.
    act(() => runData.set({ current: { ...future } }));
    const ids = {
      ...other.jobs.ids,
      texts: new Map([[1, "other-job"]]),
      numbers: new Float64Array([1, -1]),
    };
    const stage = { ...other, generation: 9, jobs: { ...other.jobs, ids } };
    act(() => {
      runData.set({ stage, current: { ...fixtureFuture(other, 1), generation: 9 } });
      useApp.setState({ cursorMs: 1, selection: { kind: "job", jobIdx: 1 } });
    });
    fireEvent.change(screen.getByRole("combobox", { name: /Tier/ }), {
      target: { value: "critical" },
    });
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({
      kind: "retier",
      job: "other-job",
      tier: "critical",
    });
  });

  test("what is selected is shown at the cursor as it is now", () => {
    render(<InspectorColumn />);
    act(() => useApp.setState({ cursorMs: 31 * MINUTE }));
    act(() => useApp.setState({ cursorMs: 300 * MINUTE }));
    expect(plain(screen.getByRole("article"))).not.toContain("Ended at");
    act(() => useApp.setState({ selection: { kind: "job", jobIdx: 0 } }));
    expect(plain(screen.getByRole("article"))).toContain("Ended at");
  });
});

describe("other moments of a job", () => {
  test("a running job says where it is and when it ends, by limit and really", () => {
    useApp.setState({ selection: { kind: "job", jobIdx: 0 } });
    render(<InspectorColumn />);
    const text = plain(screen.getByRole("article", { name: "Job 1 moe" }));
    expect(text).toContain("Runs since 00:00 (30 m): 16 GPUs on 2 nodes.");
    expect(text).toContain("Ends by its limit01:30");
    expect(text).toContain("01:00, work done");
    expect(screen.getByRole("button", { name: "node-02" })).toBeTruthy();
  });

  test("a job that has ended cannot be cancelled, and the button says why", async () => {
    useApp.setState({ selection: { kind: "job", jobIdx: 0 }, cursorMs: 65 * MINUTE });
    render(<InspectorColumn />);
    const button = screen.getByRole("button", { name: "Cancel job" });
    expect(button.getAttribute("title")).toContain("it has ended");
    await userEvent.click(button);
    expect(intervene).not.toHaveBeenCalled();
  });
});

describe("the run", () => {
  test("with nothing selected, the longest waiting job is one click away", async () => {
    useApp.setState({ selection: null });
    render(<InspectorColumn />);
    await userEvent.click(screen.getByRole("button", { name: "2 vit" }));
    expect(useApp.getState().selection).toEqual({ kind: "job", jobIdx: 1 });
  });

  test("its numbers are computed, not before the run is complete", async () => {
    render(<InspectorColumn />);
    const part = within(screen.getByRole("region", { name: "This run" }));
    const [table] = await part.findAllByRole("table");
    expect(plain(table!)).toContain("mean wait NNormal55.0 m");
  });

  test("before and now: the change is marked in words", async () => {
    const ghost = fixtureFuture(
      fixtureStage(2, [
        {
          submitMs: 0,
          gpus: 16,
          workMs: 20 * MINUTE,
          limitMs: 90 * MINUTE,
          tier: 0,
          name: "moe",
          user: 0,
        },
        {
          submitMs: 5 * MINUTE,
          gpus: 16,
          workMs: 10 * MINUTE,
          limitMs: 20 * MINUTE,
          tier: 2,
          name: "vit",
          user: 1,
        },
      ]),
      2,
    );
    runData.set({ ghost, ghostFromMs: 0 });
    render(<InspectorColumn />);
    const row = await screen.findByRole("row", { name: /mean wait.*Normal/ });
    await waitFor(() => expect(plain(row)).toMatch(/15 ?\.?0? m.*55.*\+40.*worse/));
  });

  test("a node tells its state and the jobs on it, and can be drained", async () => {
    useApp.setState({ selection: { kind: "node", node: 1 } });
    render(<InspectorColumn />);
    expect(plain(await screen.findByRole("article", { name: "Node node-02" }))).toContain(
      "8 of 8 GPUs held by 1 job",
    );
    await userEvent.click(screen.getByRole("button", { name: "Drain node-02" }));
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({
      kind: "drain",
      nodes: ["node-02"],
    });
  });

  test("without a run the column says what to do", () => {
    runData.set({ stage: null });
    useApp.setState({ scenario: null, runStatus: { phase: "empty" } });
    render(<InspectorColumn />);
    expect(screen.getByText(/library/)).toBeTruthy();
  });
});

describe("changes", () => {
  test("are numbered, said in words, and can be removed by mouse and by Delete", async () => {
    render(<InspectorColumn />);
    const list = screen.getByRole("region", { name: "Changes to this run" });
    expect(plain(list)).toContain("EASY → None");
    await userEvent.click(within(list).getByRole("button", { name: /Remove change 1/ }));
    expect(remove).toHaveBeenLastCalledWith({ index: 0 });
    within(list)
      .getByRole("button", { name: /Drain node node-03.*finish/ })
      .focus();
    await userEvent.keyboard("{Delete}");
    expect(remove).toHaveBeenLastCalledWith({ index: 1 });
  });
});

describe("editors", () => {
  test("policy: nothing can be applied until something differs; then it says what, and acts from the cursor on", async () => {
    useApp.setState({ side: "policy" });
    render(<InspectorColumn />);
    const form = await screen.findByRole("form", { name: "Change policy" });
    const apply = within(form).getByRole("button", { name: /Apply from/ });
    await userEvent.click(apply);
    expect(intervene).not.toHaveBeenCalled();
    await userEvent.selectOptions(within(form).getByLabelText("Backfill"), "Conservative");
    expect(plain(within(form).getByRole("region", { name: "What will change" }))).toContain(
      "Backfill: EASY → Conservative",
    );
    await userEvent.click(apply);
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({
      kind: "policy",
      policy: { preset: "lab", settings: { backfill: "conservative" } },
    });
    expect(useApp.getState().side).toBe("inspector");
  });

  test("inject: a job larger than the cluster is refused beside its field", async () => {
    useApp.setState({ side: "inject" });
    render(<InspectorColumn />);
    const form = await screen.findByRole("form", { name: "Inject a job" });
    const gpus = within(form).getByRole("textbox", { name: "GPUs" });
    await userEvent.clear(gpus);
    await userEvent.type(gpus, "96");
    expect(plain(within(form).getByRole("alert"))).toBe("It asks for 96 GPUs; the cluster has 16.");
    await userEvent.click(within(form).getByRole("button", { name: /Inject at/ }));
    expect(intervene).not.toHaveBeenCalled();
    await userEvent.clear(gpus);
    await userEvent.type(gpus, "4");
    await userEvent.click(within(form).getByRole("button", { name: /Inject at/ }));
    await waitFor(() => expect(intervene).toHaveBeenCalled());
    expect(intervene.mock.lastCall?.[0].intervention).toMatchObject({
      kind: "inject",
      atMs: 30 * MINUTE,
      job: { id: "my-job", gpus: 4, workMs: 60 * MINUTE, limitMs: 120 * MINUTE },
    });
  });

  test("drain: the selected node is chosen already; fail and resume are one choice away", async () => {
    useApp.setState({ side: "drain", selection: { kind: "node", node: 1 } });
    render(<InspectorColumn />);
    const form = await screen.findByRole("form", { name: /Drain/ });
    await userEvent.click(within(form).getByRole("radio", { name: /Fail/ }));
    await userEvent.click(within(form).getByRole("button", { name: /Fail node-02 at/ }));
    expect(intervene.mock.lastCall?.[0].intervention).toEqual({ kind: "fail", nodes: ["node-02"] });
  });

  test("Escape leaves an editor without a change", async () => {
    useApp.setState({ side: "inject" });
    render(<InspectorColumn />);
    await screen.findByRole("form", { name: "Inject a job" });
    await userEvent.keyboard("{Escape}");
    expect(useApp.getState().side).toBe("inspector");
    expect(intervene).not.toHaveBeenCalled();
  });
});
