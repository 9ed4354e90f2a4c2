/** Volcano, KAI, Ray and kube-scheduler one after the other on one page: their queues, gauges and words, and what a client saw beside what was true. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import { MINUTE } from "../support/scenarios.ts";

const queue = (name: string, gpus: number) => `apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: ${name}
spec:
  weight: 1
  capability:
    nvidia.com/gpu: ${gpus}
`;

const job = (id: string, atMin: number, members: number, more: object = {}) => ({
  id,
  submitMs: atMin * MINUTE,
  workMs: 30 * MINUTE,
  components: [{ members, gpusPerMember: 1 }],
  ...more,
});

const small = (policy: object, jobs: readonly object[], queues: readonly string[] = []) =>
  ({
    version: 1,
    title: "Two queues on eight GPUs",
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 8, cpus: 64 }] },
    queues,
    pools: [{ id: "all", policy }],
    workload: { jobs },
  }) as ScenarioInput;

const VOLCANO = small(
  { preset: "volcano", yaml: `${queue("red", 4)}---\n${queue("blue", 8)}` },
  [
    job("red-1", 0, 4, { queue: "red" }),
    job("blue-1", 0, 2, { queue: "blue" }),
    job("red-2", 5, 2, { queue: "red" }),
  ],
  ["red", "blue"],
);

const LATE_NEWS = small({ preset: "kube-scheduler", settings: { watchDelayMs: MINUTE } }, [
  job("pod", 1, 1),
]);

test("each has its queues, gauges and words; a client that hears late sees what was", async ({
  bench,
}) => {
  const ofLibrary = (name: string) => libraryScenarios().find(({ id }) => id === name)!.scenario;
  const words = (system: string) =>
    bench.page.getByRole("region", { name: `In ${system}’s words` });
  const card = bench.page.getByRole("complementary", { name: "Inspector" });
  const show = async (scenario: ScenarioInput, atMs: number, select: string) => {
    await bench.open(scenario);
    await bench.seek(atMs);
    await bench.select(select);
  };
  const grid = async (tab: string) => {
    await bench.button(tab).click();
    return bench.page.getByRole("grid", { name: tab });
  };

  await bench.visit();
  await show(VOLCANO, 10 * MINUTE, "red-2");
  await expect(words("Volcano")).toContainText("red");
  await expect(card).toContainText("its queue can have no more");
  await bench.press("t");
  const ofVolcano = await grid("Queues");
  await expect(ofVolcano).toContainText("deserved");
  await expect(ofVolcano.getByRole("row", { name: /red/ })).toContainText("red-2");
  await expect(ofVolcano.getByRole("img", { name: "4 of its own in use; quota 4" })).toBeVisible();

  // Without a queue in its objects all are in the default one, and the card has Volcano's words all the same.
  await show(ofLibrary("volcano-starved"), 120 * MINUTE, "large");
  await expect(words("Volcano")).toContainText("waits at the gate of its queue");
  await expect(words("Volcano")).toContainText("0 of 4");

  await show(ofLibrary("kai-reclaim"), 61 * MINUTE, "product-1");
  await expect(words("KAI")).toContainText("department / product");
  await expect(card).toContainText("room that others gave up for it");
  const ofKai = await grid("Queues");
  await expect(ofKai).toContainText("fair share");
  await expect(ofKai.getByRole("img", { name: /24 borrowed; quota 32/ })).toBeVisible();

  await show(ofLibrary("ray-two-tenants"), 75 * MINUTE, "train-2");
  await expect(card).toContainText("its bundles do not all fit now");
  await expect(card).toContainText("A placement group of 16 bundles, PACK");
  await expect(words("Ray")).toContainText("0 of 16 placed");
  const ofRay = bench.page.getByRole("grid", { name: "Waiting jobs" });
  await ofRay.focus();
  await bench.press("Home");
  await expect(ofRay).toContainText("no node can start it now");

  await show(LATE_NEWS, 2.5 * MINUTE, "pod");
  await expect(card).toContainText("Runs since");
  await expect(card).toContainText("still sees it waiting");
  await expect(words("Kubernetes")).toContainText("PodScheduled");
  await bench.seek(4 * MINUTE);
  await expect(card).not.toContainText("still sees it");
});
