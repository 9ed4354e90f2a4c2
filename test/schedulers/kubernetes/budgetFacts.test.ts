/** What a run says of budgets when it is asked about a job: computed where the decision was made, by the descheduler and by the autoscaler. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";
import { documentOf } from "../groupDocs.ts";

const budget = (least: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: ${least}, selector: { matchLabels: { job-name: A } } }
`;
const low = `---
apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - pluginConfig:
      - name: LowNodeUtilization
        args: { thresholds: { nvidia.com/gpu: 30 }, targetThresholds: { nvidia.com/gpu: 60 } }
    plugins: { balance: { enabled: [LowNodeUtilization] } }`;

function runWith(words: readonly string[], yaml: string, lines: readonly string[]) {
  const drawn = { title: "", words, yaml, lines, drawing: "" };
  const world = documentWorld(JSON.parse(JSON.stringify(documentOf("kube-scheduler", drawn))));
  const { simulation } = runAll(world);
  return (id: string, atMs: number) => simulation.jobFacts(jobNamed(world, id), atMs)?.budgets;
}

test("a pod that a budget keeps from the descheduler is told with the budget and the time", () => {
  const words = ["2x4", "cpus=8", "deschedulingIntervalMs=3000", "scoring=MostAllocated"];
  const lines = ["0 A 4*1 20s loose", "0 B 1*1 20s"];
  const facts = runWith([...words, "scoreGpus=true"], budget("100%") + low, lines);
  expect(facts("A", 2_000)).toEqual({ budgets: [{ name: "web", allowed: 0 }], kept: null });
  expect(facts("A", 4_000)).toEqual({
    budgets: [{ name: "web", allowed: 0 }],
    kept: { atMs: 3_000, from: "descheduler", budget: "web" },
  });
  expect(facts("B", 4_000)).toBeNull();
});

test("a budget with room says so, and keeps nobody", () => {
  const facts = runWith(["1x4"], budget("3"), ["0 A 4*1 20s loose"]);
  expect(facts("A", 1_000)).toEqual({ budgets: [{ name: "web", allowed: 1 }], kept: null });
});

test("a budget that keeps a rented node from scale-down is told to the job on it", () => {
  const words = "1x4 cloud=1x4/3 scanIntervalMs=1000 scaleDownUnneededMs=2000";
  const facts = runWith(`${words} scaleDownDelayAfterAddMs=0`.split(" "), budget("1"), [
    "0 F 1x4 7s t=normal",
    "0.2 A 1*1 9s t=normal",
  ]);
  const kept = facts("A", 9_000)?.kept;
  expect(kept).toMatchObject({ from: "scaleDown", budget: "web" });
  expect(kept!.atMs).toBeLessThanOrEqual(9_000);
  expect(facts("F", 6_000)).toBeNull();
});
