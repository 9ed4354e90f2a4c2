/** What is said of a dropped slurm.conf before anything changes, and of a log that meets it. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SlurmFilesDialog } from "../../src/app/dialogs/SlurmFilesDialog.tsx";
import { SlurmPresetDialog } from "../../src/app/dialogs/SlurmPresetDialog.tsx";
import { TraceDialog } from "../../src/app/dialogs/TraceDialog.tsx";
import { takeSlurmFiles } from "../../src/app/slurmFiles.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { connectDocuments } from "../../src/store/documents.ts";
import type { ReadSlurm } from "../../src/store/shellState.ts";
import { useShell } from "../../src/store/shellState.ts";
import { useApp } from "../../src/store/store.ts";
import type { WorkerClient } from "../../src/store/workerClient.ts";
import { readSlurmFiles } from "../../src/worker/slurmFile.ts";
import { mustRead } from "../scenario/scenarios.ts";

const CONF =
  "ClusterName=c1\nLicenses=x:1\nBatchStartTimeout=20\nSlurmUser=slurm\nNodeName=n[1-2] CPUs=8 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES\n";
const lab = mustRead({
  version: 1,
  title: "lab",
  cluster: { nodeGroups: [{ id: "h100", count: 2, gpus: 8 }] },
  workload: { jobs: [{ id: "j", submitMs: 0, workMs: 1_000, gpus: 1 }] },
});

const opened: Scenario[] = [];
const client = {
  open: (scenario: Scenario) => {
    opened.push(scenario);
    return Promise.resolve(null);
  },
} as unknown as WorkerClient;
connectDocuments({ client, changed: () => undefined, refused: () => undefined });

afterEach(() => {
  cleanup();
  opened.length = 0;
  useShell.setState({ dialog: { kind: "none" }, banner: null });
  useApp.setState({ scenario: null, notice: null });
});

function read(texts: Readonly<Record<string, string>>, open: Scenario | null): ReadSlurm {
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text).buffer as ArrayBuffer,
  }));
  const outcome = readSlurmFiles(files, open);
  if (outcome.kind !== "read") throw new Error(JSON.stringify(outcome));
  return outcome;
}

test("the cluster is told in numbers and names, and what is not heeded in groups", () => {
  render(<SlurmFilesDialog read={read({ "slurm.conf": CONF }, null)} then={() => undefined} />);
  expect(screen.getByRole("row", { name: /^Nodes 2 n\[1-2\]/ })).toBeTruthy();
  expect(screen.getByRole("row", { name: /^GPUs 8/ })).toBeTruthy();
  expect(screen.getByText(/^Not modelled: [1-9]/)).toBeTruthy();
  expect(screen.getByText(/^Approximated: [1-9]/)).toBeTruthy();
  expect(screen.getByText(/^Does not bear on scheduling: [1-9]/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Use in the open scenario" })).toBeNull();
});

test("a new scenario has made-up jobs, or none where that is wanted", async () => {
  for (const wanted of [true, false]) {
    render(<SlurmFilesDialog read={read({ "slurm.conf": CONF }, null)} then={() => undefined} />);
    if (!wanted) fireEvent.click(screen.getByRole("checkbox"));
    fireEvent.click(screen.getByRole("button", { name: "Open as a new scenario" }));
    await waitFor(() => expect(opened).toHaveLength(wanted ? 1 : 2));
    cleanup();
  }
  expect(opened[0]!.workload.jobs.length).toBeGreaterThan(100);
  expect(opened[1]!.workload.jobs).toEqual([]);
});

test("the open scenario keeps its jobs under the cluster of the files", async () => {
  useApp.setState({ scenario: lab });
  render(<SlurmFilesDialog read={read({ "slurm.conf": CONF }, lab)} then={() => undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "Use in the open scenario" }));
  await waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]!.workload.jobs.map((job) => job.id)).toEqual(["j"]);
  expect(opened[0]!.cluster.nodeGroups[0]!.names).toBe("n[1-2]");
});

test("a slurm.conf without nodes is no scenario of its own, and says why", () => {
  useApp.setState({ scenario: lab });
  const outcome = read({ "slurm.conf": "KillWait=5\nSchedulerType=sched/builtin\n" }, lab);
  render(<SlurmFilesDialog read={outcome} then={() => undefined} />);
  expect(screen.queryByRole("button", { name: "Open as a new scenario" })).toBeNull();
  expect(screen.getByText(/names no nodes/)).toBeTruthy();
});

test("gres.conf alone needs a slurm.conf; after one it joins at once, and what else was dropped has its turn", async () => {
  const gres = { "gres.conf": "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n" };
  useApp.setState({ scenario: lab });
  await takeSlurmFiles(read(gres, lab), () => undefined);
  expect(useShell.getState().banner?.title).toMatch(/^gres.conf needs a slurm.conf/);
  const own = read({ "slurm.conf": CONF }, null).own!;
  const open = JSON.parse(own.kind === "scenario" ? own.json : "null") as Scenario;
  useApp.setState({ scenario: open });
  const then = vi.fn();
  vi.spyOn(client, "open").mockResolvedValueOnce({ kind: "traceNeeded" } as never);
  await takeSlurmFiles(read(gres, open), then);
  expect(useApp.getState().scenario?.cluster.nodeGroups[0]?.gpuModel).toBe("H100");
  expect(useApp.getState().notice?.text).toMatch(/^gres.conf joined/);
  expect(then).toHaveBeenCalledOnce();
});

test("a log is offered the open Slurm cluster, with what finds no match", async () => {
  const own = read({ "slurm.conf": CONF }, null).own!;
  const open = JSON.parse(own.kind === "scenario" ? own.json : "null") as Scenario;
  useApp.setState({ scenario: open });
  const suggested = mustRead({
    version: 1,
    cluster: { nodeGroups: [{ id: "gpu", count: 4, gpus: 8 }] },
    queues: ["p", "night"],
  });
  const trace = {
    kind: "read" as const,
    name: "sacct.txt",
    sha256: "0".repeat(64),
    bytes: 1,
    jobs: 1,
    largest: 1,
    users: ["ada"],
  };
  render(<TraceDialog trace={{ ...trace, format: "sacct", notes: [], suggested }} />);
  expect(screen.getByLabelText<HTMLSelectElement>("Cluster").value).toBe("open");
  expect(screen.getByText(/no partition night/)).toBeTruthy();
  const policy = screen.getByLabelText<HTMLSelectElement>("Policy", { selector: "select" });
  expect([...policy.options].map(({ label }) => label)).toEqual([
    "First come, first served",
    "EASY backfill",
    "Conservative backfill",
    "Shortest first",
    "Priority with preemption",
    "Tiresias",
    "Themis",
    "Gavel",
    "Slurm with its defaults",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Open trace" }));
  await waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]!.pools).toEqual(open.pools);
  expect(opened[0]!.cluster).toEqual(open.cluster);
});

test("a log of users whom the open Slurm refuses has a cluster of its own, and the reason beside the choice", () => {
  const conf = `${CONF}AccountingStorageEnforce=associations\n`;
  const accounting = "add account vision\nadd user bob account=vision\n";
  const own = read({ "slurm.conf": conf, "assoc.txt": accounting }, null).own!;
  useApp.setState({ scenario: JSON.parse(own.kind === "scenario" ? own.json : "null") });
  const trace = {
    kind: "read" as const,
    name: "log.csv",
    sha256: "0".repeat(64),
    bytes: 1,
    jobs: 1,
    largest: 1,
    users: ["ada"],
    format: "itp-raw",
    notes: [],
    suggested: mustRead({
      version: 1,
      cluster: { nodeGroups: [{ id: "gpu", count: 4, gpus: 8 }] },
    }),
  };
  render(<TraceDialog trace={trace} />);
  const choice = screen.getByLabelText<HTMLSelectElement>("Cluster");
  expect(choice.value).toBe("fits");
  expect(screen.getByText(/would refuse every job: .*none of the file’s users/)).toBeTruthy();
  fireEvent.change(choice, { target: { value: "open" } });
  expect(screen.getByText(/will refuse every job/)).toBeTruthy();
});

test("a log with a job that has no room on the open Slurm cluster has one of its own, and the reason beside the choice", () => {
  const own = read({ "slurm.conf": CONF }, null).own!;
  useApp.setState({ scenario: JSON.parse(own.kind === "scenario" ? own.json : "null") });
  const trace = {
    kind: "read" as const,
    name: "sacct.txt",
    sha256: "0".repeat(64),
    bytes: 1,
    jobs: 2,
    largest: 4_096,
    users: ["ada"],
    format: "sacct",
    notes: [],
    suggested: mustRead({
      version: 1,
      cluster: { nodeGroups: [{ id: "gpu", count: 512, gpus: 8 }] },
    }),
  };
  render(<TraceDialog trace={trace} />);
  const choice = screen.getByLabelText<HTMLSelectElement>("Cluster");
  expect(choice.value).toBe("fits");
  expect(screen.getByText(/a job of 4096 would never start there/)).toBeTruthy();
  fireEvent.change(choice, { target: { value: "open" } });
  expect(screen.getByText(/a job of 4096 will never start there/)).toBeTruthy();
});

test("the page of the preset links every parameter to its manual and leaves nothing out", () => {
  render(<SlurmPresetDialog />);
  expect(screen.getByText(/22\.05\.8/)).toBeTruthy();
  const links = screen.getAllByRole<HTMLAnchorElement>("link", { hidden: true });
  expect(links.length).toBeGreaterThan(200);
  for (const link of links) {
    expect(link.href).toMatch(/^https:\/\/slurm\.schedmd\.com\//);
    expect(link.rel).toContain("noopener");
  }
});
