/** What acts beside kube-scheduler: the descheduler with its budgets, and Cluster Autoscaler, each from its form to the run and its words. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { card, decision, legend } from "../support/labForms.ts";
import { MINUTE } from "../support/scenarios.ts";

const YAML = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - name: even
    pluginConfig:
      - name: LowNodeUtilization
        args:
          thresholds: { nvidia.com/gpu: 20 }
          targetThresholds: { nvidia.com/gpu: 50 }
    plugins:
      balance: { enabled: [LowNodeUtilization] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: serving }
spec: { maxUnavailable: 0, selector: { matchLabels: { app: serve } } }
`;

const pod = (id: string, atMin: number, more: object = {}) => ({
  id,
  submitMs: atMin * MINUTE,
  workMs: 180 * MINUTE,
  gpus: 1,
  ...more,
});
const serve = { kubernetes: { labels: { app: "serve" } } };
const node = (id: string, atMin: number, workMin: number, gpusPerNode: number) => ({
  id,
  submitMs: atMin * MINUTE,
  workMs: workMin * MINUTE,
  nodes: 1,
  gpusPerNode,
});

/** Two full nodes beside one that comes free at 00:40: at 00:45 the descheduler looks. */
const UNEVEN = {
  version: 1,
  title: "Evening out",
  horizonMs: 360 * MINUTE,
  cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 4, cpus: 32 }], fabric: { nodesPerLeaf: 3 } },
  pools: [{ id: "all", policy: { preset: "kube-scheduler", yaml: YAML } }],
  workload: {
    jobs: [
      node("early", 0, 40, 4),
      ...[0, 1, 2, 3, 4, 5].map((k) => pod(`train-${k}`, 1 + k)),
      pod("serve-0", 8, serve),
      pod("serve-1", 9, serve),
    ],
  },
} as ScenarioInput;

test("the descheduler evicts the youngest that no budget protects; the card says why; a higher target leaves more in place", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(UNEVEN);
  const runsOf = async (id: string) =>
    (await bench.schedule()).filter((run) => run.id === id).length;
  expect(await runsOf("serve-1")).toBe(1);
  expect([await runsOf("train-4"), await runsOf("train-5")]).toEqual([2, 2]);
  await bench.seek(50 * MINUTE);
  await bench.select("train-5");
  await expect(card(bench)).toContainText(/The descheduler evicted it at .*with 4 of 4.GPUs held/);
  await expect(card(bench)).toContainText("evicted by the descheduler");
  await expect(await decision(bench, /evicted by the descheduler/)).toBeVisible();
  await expect(legend(bench).getByText("lost work")).toBeVisible();

  await bench.seek(42 * MINUTE);
  await bench.editor("Policy");
  const form = bench.page.locator("form.editor");
  await form.getByText("DeschedulerPolicy", { exact: true }).first().click();
  await form.getByLabel("Overused above, devices").fill("100");
  await expect(form.getByLabel("What will change")).toContainText(
    /DeschedulerPolicy .*targetThresholds\.nvidia\.com\/gpu .*: 50 → 100/,
  );
  await bench.apply();
  expect([await runsOf("train-4"), await runsOf("train-5")]).toEqual([1, 1]);
});

const CLOUD = {
  version: 1,
  title: "Nodes to rent",
  horizonMs: 300 * MINUTE,
  cluster: {
    nodeGroups: [
      { id: "own", count: 1, gpus: 4, cpus: 32 },
      { id: "cloud", count: 2, gpus: 4, cpus: 32, burst: { startupMs: 6 * MINUTE } },
    ],
    fabric: { nodesPerLeaf: 3 },
  },
  pools: [{ id: "all", policy: { preset: "kube-scheduler" } }],
  workload: {
    jobs: [node("base", 0, 240, 4), node("peak", 20, 40, 4), node("huge", 21, 30, 16)],
  },
} as ScenarioInput;

test("Cluster Autoscaler: who waits is told of the node on the way, and who cannot be helped is told that; the node comes and goes", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(CLOUD);
  await bench.seek(23 * MINUTE);
  await bench.select("peak");
  await expect(card(bench)).toContainText("no node has room; one is on its way");
  await expect(card(bench)).toContainText("1 on the way");
  await bench.select("huge");
  await expect(card(bench)).toContainText("3 of too few GPUs, even empty");
  await expect(legend(bench).getByText("node boots")).toBeVisible();
  await expect(legend(bench).getByText("drained")).toHaveCount(0);

  // From the table of rules: which times of the node group hold under this scheduler.
  await bench.click(/^Rules of the scenario/);
  const rules = bench.dialog("Rules of the scenario");
  await rules.getByRole("button", { name: /^Prices and rented nodes/ }).click();
  await expect(rules).toContainText("Cluster Autoscaler rents them");
  await bench.press("Escape");

  const end = (await bench.schedule()).find(({ id }) => id === "peak")!.endMs!;
  await bench.seek(end + 20 * MINUTE);
  await bench.press("y");
  const log = bench.page.getByRole("grid", { name: /Decisions/ });
  await expect(log.getByText(/^Node cloud-00\d rented: it boots for 6.m$/)).toBeVisible();
  await expect(
    log.getByText(/^Node cloud-00\d given back: it goes when it is empty$/),
  ).toBeVisible();
});
