import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { detectFormat } from "../../src/formats/detect.ts";
import { readOpenb, readOpenbNodes, readOpenbPods } from "../../src/formats/openb.ts";
import { expand } from "../../src/workload/expand.ts";
import { suggestScenario } from "../../src/workload/suggest.ts";
import { must } from "../scenario/scenarios.ts";

const HEAD =
  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time";
const TEXT = `${HEAD}
a,12000,16384,1,1000,,LS,Running,0,100,10
b,6000,12288,1,460,V100M16|V100M32|V100M16,LS,Running,5,65,5
c,4000,1024,0,0,,BE,Succeeded,6,36,6
d,4000,1024,8,1000,,BE,Pending,7,9,
`;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("pods of the openb trace", () => {
  test("are found out by their columns, run from their start to their deletion, and pending ones are skipped", () => {
    expect(detectFormat(bytes(TEXT))).toBe("openb-pod");
    const { facts, workload } = must(readOpenb(bytes(TEXT), "x.csv"));
    expect(facts).toMatchObject({
      jobs: 4,
      maxGpus: 8,
      skipped: { neverStarted: 1 },
      statusCounts: { Running: 2, Succeeded: 1, Pending: 1 },
    });
    expect(facts.gpuHours! * 3_600).toBeCloseTo(100 + 60 * 0.46 + 2 * 8, 9);
    expect([...workload.at.runMs]).toEqual([90_000, 60_000, 30_000]);
    expect([...workload.pods!.at.shareMilli]).toEqual([0, 460, 0]);
    expect(workload.pods!.modelLists).toEqual([[], ["V100M16", "V100M32"]]);
  });

  test("become jobs with CPUs, memory and shares on the cluster that is suggested", () => {
    const { workload } = must(readOpenb(bytes(TEXT), "x.csv"));
    const identity = { name: "x.csv", sha256: "0".repeat(64), bytes: TEXT.length };
    const world = must(expand(suggestScenario(identity, workload).scenario, workload));
    const { components } = world.jobs;
    expect([...components.cpuMilli]).toEqual([12_000, 6_000, 4_000]);
    expect([...components.shareMilli]).toEqual([0, 460, 0]);
    expect([...components.gpus]).toEqual([1, 1, 0]);
  });

  test("get nodes that each of them fits on, though it asks for more than the most common node has", () => {
    const large = TEXT.replace(/^([^\n]*\n[^,]*),\d+,\d+,/, "$1,120200,737280,");
    const { workload } = must(readOpenb(bytes(large), "x.csv"));
    const identity = { name: "x.csv", sha256: "0".repeat(64), bytes: large.length };
    const { scenario, how } = suggestScenario(identity, workload);
    expect(scenario.cluster.nodeGroups[0]).toMatchObject({ gpus: 8, cpus: 121, memGiB: 720 });
    expect(how).toContain("121\u00a0CPUs, 720\u00a0GiB");
    expect(how).toContain("1\u00a0job that asks for other models may run anywhere");
    expect(simulate(scenario, workload, { checks: true }).metrics.finished).toBe(workload.count);
  });

  test("without times can be read to be placed", () => {
    const text = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1000,2048,2,1000\n";
    expect(must(readOpenbPods(bytes(text), "x.csv"))).toEqual([
      { name: "a", cpuMilli: 1_000, memMiB: 2_048, gpus: 2, gpuMilli: 1_000, models: [] },
    ]);
    expect(readOpenb(bytes(text), "x.csv").ok).toBe(false);
  });

  const traces = new URL("../../../shared/traces/alibaba-gpu-v2023/", import.meta.url);
  test.skipIf(!existsSync(traces))("of the published files add up as they should", () => {
    const read = (name: string) => readFileSync(new URL(name, traces));
    const { facts } = must(readOpenb(read("openb_pod_list_default.csv"), "default"));
    expect(facts).toMatchObject({ jobs: 8_152, maxGpus: 8, submitLastSec: 12_901_761 });
    expect(facts.gpuHours).toBeCloseTo(51_600.473, 2);
    const nodes = must(readOpenbNodes(read("openb_node_list_gpu_node.csv"), "nodes"));
    expect(nodes.reduce((sum, node) => sum + node.gpus, 0)).toBe(6_212);
  });

  test.skipIf(!existsSync(traces))(
    "all run on the cluster that is suggested for the published list",
    () => {
      const file = readFileSync(new URL("openb_pod_list_default.csv", traces));
      const { workload } = must(readOpenb(file, "default"));
      const identity = { name: "x.csv", sha256: "0".repeat(64), bytes: file.length };
      const { metrics } = simulate(suggestScenario(identity, workload).scenario, workload, {
        checks: false,
      });
      expect(metrics.finished).toBe(workload.count);
    },
  );
});
