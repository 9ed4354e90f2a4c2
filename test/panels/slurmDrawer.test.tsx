import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SlurmDrawer } from "../../src/panels/queues/slurm/SlurmDrawer.tsx";
import type { PoolTables } from "../../src/protocol/messages.ts";
import { type CommandArgs, define } from "../../src/store/commands.ts";
import { connectExplain } from "../../src/store/explain.ts";
import { EMPTY_FUTURE, runData } from "../../src/store/runData.ts";
import { useApp } from "../../src/store/store.ts";
import { type FixtureJob, fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const job = (submitMin: number): FixtureJob => ({
  submitMs: submitMin * MINUTE,
  gpus: 16,
  workMs: 10 * MINUTE,
  limitMs: 90 * MINUTE,
  tier: 0,
  name: "vit",
});
const select = vi.fn<(args: CommandArgs["selectJob"]) => void>();

const pending = (jobIdx: number, priority: number) => ({
  jobIdx,
  partition: "main",
  qos: "normal",
  account: "vision",
  priority,
  reason: jobIdx === 1 ? ("Resources" as const) : ("Priority" as const),
  plannedStartMs: jobIdx === 1 ? 20 * MINUTE : Number.POSITIVE_INFINITY,
  plannedNodes: jobIdx === 1 ? [0, 1] : [],
  nodes: 2,
  limitMs: 90 * MINUTE,
  restarts: jobIdx === 1 ? 0 : 3,
  submitMs: 0,
});
const share = (account: string, user: string, depth: number, levelFs: number) => ({
  account,
  user,
  depth,
  rawShares: 10,
  normShares: 0.5,
  rawUsage: 3600,
  normUsage: depth === 0 ? Number.NaN : 0.25,
  effectvUsage: 0.25,
  fairShare: user === "" ? Number.NaN : 0.75,
  levelFs,
});
const TABLES: PoolTables = {
  pending: 2,
  squeue: [pending(1, 4_978), pending(2, 120)],
  sprio: [
    {
      jobIdx: 1,
      partition: "main",
      priority: 4_978,
      age: 0.4,
      assoc: 0,
      fairshare: 4_000,
      jobSize: 253.9,
      partitionFactor: 125,
      qos: 600,
      nice: 0,
      tres: { cpu: 12.6 },
    },
  ],
  sshare: [
    share("root", "", 0, Number.NaN),
    share("vision", "", 1, 2),
    share("vision", "ada", 2, Number.POSITIVE_INFINITY),
  ],
  reservations: [
    { name: "maint", startMs: 0, endMs: 120 * MINUTE, nodes: [0, 1], flags: ["MAINT"] },
  ],
  nextMainMs: Number.POSITIVE_INFINITY,
  nextBackfillMs: 30_000,
  passesComputed: 2,
  passesSkipped: 1,
};

const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole("gridcell")
    .map((cell) => cell.textContent?.replaceAll("\u00a0", " "));
const rows = () => screen.getAllByRole("row").slice(1).map(cells);
const heads = () => screen.getAllByRole("columnheader").map((head) => head.textContent);
const open = async (tab: string) => {
  await userEvent.click(screen.getByRole("button", { name: tab }));
  await screen.findByRole("grid");
};

beforeEach(() => {
  select.mockClear();
  define("selectJob", { label: "Select", group: "select", run: select });
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(240);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
  connectExplain({
    explain: () => Promise.resolve(null),
    tables: () => Promise.resolve(TABLES),
  });
  const stage = fixtureStage(2, [job(0), job(1), job(2)]);
  const scenario = fixtureScenario(2);
  const pools = scenario.pools.map((pool) => ({
    ...pool,
    policy: { preset: "slurm", settings: {} },
  }));
  useApp.setState({
    scenario: { ...scenario, pools, interventions: [] },
    cursorMs: 5 * MINUTE,
    selection: null,
  });
  runData.set({ stage, current: fixtureFuture(stage, 2), ghost: null });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runData.set({ stage: null, current: EMPTY_FUTURE });
});

describe("the tables of Slurm", () => {
  test("squeue: reason, planned start and nodes; a click selects the job", async () => {
    render(<SlurmDrawer />);
    await screen.findByRole("grid", { name: "squeue" });
    expect(heads()).toEqual(
      "JOBID PARTITION NAME USER ST PRIORITY NODES GPUS NODELIST(REASON) START_TIME SCHEDNODES TIME_LIMIT ACCOUNT QOS RESTARTS".split(
        " ",
      ),
    );
    expect(rows()[0]?.join("|")).toBe(
      "2|main|vit|ada|PD|4978|2|16|(Resources)|Day 1 00:20:00|node-[01-02]|1:30:00|vision|normal|0",
    );
    expect(rows()[1]?.slice(8, 11)).toEqual(["(Priority)", "N/A", "(null)"]);
    await userEvent.click(screen.getByText("(Priority)"));
    expect(select).toHaveBeenCalledWith({ jobIdx: 2 });
  });

  test("squeue sorts by a column, then the other way, then by priority again", async () => {
    render(<SlurmDrawer />);
    await screen.findByRole("grid", { name: "squeue" });
    const ids = () => rows().map((row) => row[0]);
    const head = () => screen.getByRole("button", { name: /^RESTARTS/ });
    await userEvent.click(head());
    expect(ids()).toEqual(["3", "2"]);
    await userEvent.click(head());
    expect(ids()).toEqual(["2", "3"]);
    await userEvent.click(head());
    expect(ids()).toEqual(["2", "3"]);
  });

  test("sprio -l rounds each term as sprio does", async () => {
    render(<SlurmDrawer />);
    await open("sprio -l");
    expect(heads()).toEqual(
      "JOBID PARTITION USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE TRES".split(
        " ",
      ),
    );
    expect(rows()[0]?.join("|")).toBe("2|main|ada|4978|0|0|0|4000|254|125|600|0|cpu=13");
  });

  test("sshare -l indents the tree, leaves out what a row has not, and has inf without usage", async () => {
    render(<SlurmDrawer />);
    await open("sshare -l");
    expect(rows()[0]?.join("|")).toBe("root||||3600||0.250000||");
    expect(rows()[1]?.join("|")).toBe("  vision||10|0.500000|3600|0.250000|0.250000||2.000000");
    expect(rows()[2]?.join("|")).toBe(
      "    vision|ada|10|0.500000|3600|0.250000|0.250000|0.750000|inf",
    );
  });

  test("reservations as scontrol shows them", async () => {
    render(<SlurmDrawer />);
    await open("scontrol show reservation");
    expect(rows()[0]?.slice(0, 2)).toEqual(["maint", "ACTIVE"]);
    expect(rows()[0]?.slice(4, 8)).toEqual(["02:00:00", "2", "node-[01-02]", "MAINT"]);
  });

  test("a question that fails says so", async () => {
    connectExplain({
      explain: () => Promise.resolve(null),
      tables: () => Promise.reject(new Error("worker stopped")),
    });
    render(<SlurmDrawer />);
    expect((await screen.findByRole("alert")).textContent).toContain("worker stopped");
  });

  test("beside a pool of Kueue the tables of both are there; alone, only Slurm’s", async () => {
    const { scenario } = useApp.getState();
    const { stage } = runData.get();
    const tabs = () =>
      within(screen.getByRole("group", { name: "Tables of Slurm" }))
        .getAllByRole("button")
        .map((tab) => tab.textContent);
    render(<SlurmDrawer />);
    expect(tabs()).not.toContain("ClusterQueues");
    cleanup();
    const other = { ...scenario!.pools[0]!, id: "k", policy: { preset: "kueue", settings: {} } };
    useApp.setState({ scenario: { ...scenario!, pools: [...scenario!.pools, other] } });
    const cell = { pool: 1, queue: "research", flavor: "h100", resource: "nvidia.com/gpu" };
    const quotaCells = [cell] as unknown as NonNullable<NonNullable<typeof stage>["quotaCells"]>;
    runData.set({ stage: { ...stage!, poolIds: ["main", "k"], quotaCells } });
    render(<SlurmDrawer />);
    expect(tabs()).toEqual(
      expect.arrayContaining(["squeue", "all queues", "ClusterQueues", "Shares"]),
    );
    await userEvent.click(screen.getByRole("button", { name: "all queues" }));
    await screen.findByRole("grid", { name: "Waiting jobs" });
    expect(screen.queryByRole("combobox", { name: "Pool" })).toBeNull();
  });
});
