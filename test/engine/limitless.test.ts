/** Jobs of a log without time limits: what stands for the limit is for plans, and nobody is stopped there. */
import { expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";
import { EndStateCode } from "../../src/model/states.ts";
import { expand } from "../../src/workload/expand.ts";
import { must, mustRead } from "../scenario/scenarios.ts";
import { runAll } from "../support/labRuns.ts";

const log = `job_id,submission_time,duration,num_gpu
a,100,3600,1
b,200,3600,8
c,300,3600,16
`;
const { workload } = must(readForeign(new TextEncoder().encode(log), "log"));

function endsOf(preset: string, interventions: readonly object[] = []): number[] {
  const trace = { name: "log", format: "itp-raw", sha256: "0".repeat(64), bytes: log.length };
  const document = mustRead({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8, cpus: 64 }] },
    pools: [{ id: "all", policy: { preset } }],
    workload: { trace },
    interventions,
  });
  const { runs } = runAll(must(expand(document, workload))).chunk;
  return [...runs.endState].filter((_, i) => runs.run[i]! > 0);
}

test.each(["lab", "slurm", "kube-scheduler", "kueue", "volcano", "kai", "ray"])(
  "under %s every job completes, whatever its start-up takes",
  (preset) => {
    expect(endsOf(preset)).toEqual([1, 1, 1].map(() => EndStateCode.completed));
  },
);

test("a limit that somebody gives one of them later is kept", () => {
  const update = { kind: "update", atMs: 1_000_000, job: "a", limitMs: 1_800_000 };
  expect(endsOf("slurm", [update])).toEqual([
    EndStateCode.timeout,
    EndStateCode.completed,
    EndStateCode.completed,
  ]);
});
