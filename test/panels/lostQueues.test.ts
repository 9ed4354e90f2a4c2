/** Which jobs a YAML of Kueue would leave without a queue, before it is applied, and what is left of the queues that it takes away. */
import { describe, expect, test } from "vitest";
import { addPresets } from "../../src/cli/presets.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { kubeReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";
import { gaugeViews } from "../../src/panels/gauges/gaugeViews.ts";
import { isAboutDevices } from "../../src/panels/inspector/jobWords.ts";
import { lostQueues } from "../../src/panels/inspector/policy/yaml/lostQueues.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readForm } from "../../src/scenario/kubernetes/form/readForm.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { GaugeSeries } from "../../src/timeline/gaugeSeries.ts";
import { stageOf } from "../../src/worker/stage.ts";

addPresets();

const MINUTE = 60_000;
const came = libraryScenario("kueue-bin-packing")!;
const [pool] = came.pools;
const YAML = pool!.policy.yaml!;
/** The ClusterQueue and the LocalQueue `research` have another name. */
const REPLACED = YAML.replaceAll("name: research", "name: team-b").replaceAll(
  "clusterQueue: research",
  "clusterQueue: team-b",
);

function run(interventions: typeof came.interventions = []) {
  const chunks: Chunk[] = [];
  const { world } = simulate({ ...came, interventions }, undefined, {
    checks: false,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const poolOfJob = new Uint16Array(world.jobs.count);
  const stage = { ...stageOf(world, 1, []), ...world, poolOfJob } as unknown as Stage;
  return { stage, chunks };
}

describe("before a YAML of Kueue is applied", () => {
  const { stage } = run();
  const lost = (yaml: string, counts = (_: number) => true) =>
    lostQueues(readForm(yaml)!, stage, 0, counts);
  test("jobs that name a queue which it does not have are counted by queue", () => {
    expect(lost(YAML)).toEqual([]);
    expect(lost(REPLACED)).toEqual([{ queue: "research", jobs: 13 }]);
    const late = (jobIdx: number) => stage.jobs.at.submitMs[jobIdx]! >= 45 * MINUTE;
    expect(lost(REPLACED, late)[0]!.jobs).toBeLessThan(13);
  });

  test("a LocalQueue that leads to no ClusterQueue, or is another team's, is as good as none", () => {
    const astray = YAML.replace("clusterQueue: product", "clusterQueue: gone");
    expect(lost(astray).map(({ queue }) => queue)).toEqual(["product"]);
    const other = YAML.replace(
      /(kind: LocalQueue\nmetadata:\n {2}name: product)/,
      "$1\n  namespace: strangers",
    );
    expect(lost(other).map(({ queue }) => queue)).toEqual(["product"]);
  });

  test("without any ClusterQueue one is there for everybody", () => {
    expect(lost("")).toEqual([]);
    expect(
      lost("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: a}\n"),
    ).toEqual([]);
  });
});

test("the chart of a queue that a policy took away comes last, and says until when there was one", () => {
  const policy = {
    ...pool!.policy,
    yaml: REPLACED.replaceAll("name: product", "name: team-a").replaceAll(
      "clusterQueue: product",
      "clusterQueue: team-a",
    ),
  };
  const { stage, chunks } = run([{ kind: "policy", atMs: 150 * MINUTE, policy }]);
  const series = new GaugeSeries();
  series.update(chunks);
  const labels = gaugeViews(series, stage, came)
    .map(({ label }) => label)
    .filter((label) => label.includes("quota"));
  expect(labels.map((label) => label.replaceAll("\u00a0", " "))).toEqual([
    "team-a: nvidia.com/gpu of h100: quota",
    "team-b: nvidia.com/gpu of h100: quota",
    "product: nvidia.com/gpu of h100: quota, until Mon 2 Mar 10:30",
    "research: nvidia.com/gpu of h100: quota, until Mon 2 Mar 10:30",
  ]);
});

test("free devices are counted out only where room on nodes is what is missing", () => {
  const about = (["noNode", "groupShort", "unplaceable", "noDomain"] as const).map(kubeReasonCode);
  expect(about.every(isAboutDevices)).toBe(true);
  const other = (
    ["noQueue", "queueStopped", "quotaShort", "quotaNever", "quotaVictims"] as const
  ).map(kubeReasonCode);
  expect(other.some(isAboutDevices)).toBe(false);
  expect(isAboutDevices(WaitReasonCode.resources)).toBe(true);
});
