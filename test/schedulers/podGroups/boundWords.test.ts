/** A job that a queue's limit or quota keeps back is told of the queue and the resource that are short, be they another queue or another resource than its GPUs. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const all = { quota: -1, limit: -1, overQuotaWeight: 1 };
const queue = (name: string, parentQueue: string, resources: object) =>
  JSON.stringify({
    apiVersion: "scheduling.run.ai/v2",
    kind: "Queue",
    metadata: { name },
    spec: {
      ...(parentQueue === "" ? {} : { parentQueue }),
      resources: { gpu: all, cpu: all, memory: all, ...resources },
    },
  });

function wordsOf(preset: string, yaml: string, jobs: readonly object[], name: string) {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, cpus: 16, memGiB: 64 }] },
    queues: ["a"],
    pools: [{ id: "all", policy: { preset, yaml } }],
    workload: { jobs: jobs.map((job) => ({ queue: "a", workMs: 50_000, ...job })) },
  });
  return runAll(world).simulation.explain(jobNamed(world, name), 30_000)?.counted;
}

const one = { id: "one", submitMs: 0, components: [{ gpusPerMember: 3 }] };

test("KAI names the department that is at its limit", () => {
  const yaml = [queue("dep", "", { gpu: { ...all, limit: 4 } }), queue("a", "dep", {})].join(
    "\n---\n",
  );
  const two = { id: "two", submitMs: 1_000, preemptible: false, gpus: 2 };
  expect(wordsOf("kai", yaml, [one, two], "two")).toBe(
    "Queue dep has 3 of the 4 GPUs of its limit; it asks for 2.",
  );
});

test("KAI names the CPUs of a quota that work which is never preempted would exceed", () => {
  const yaml = queue("a", "", { cpu: { ...all, quota: 2_000 } });
  const asks = { preemptible: false, components: [{ gpusPerMember: 0, cpusPerMember: 4 }] };
  expect(wordsOf("kai", yaml, [one, { id: "two", submitMs: 1_000, ...asks }], "two")).toBe(
    "Work that is never preempted holds 0 of the 2 CPUs of queue a’s quota; it asks for 4.",
  );
});

test("KAI says of a queue that no YAML describes that it has no quota for work which is never preempted", () => {
  const asks = { preemptible: false, gpus: 1 };
  expect(wordsOf("kai", "", [{ id: "two", submitMs: 1_000, ...asks }], "two")).toBe(
    "No YAML describes queue a, so it has the quota of KAI’s default queue, 0; work that is never preempted starts within quota only.",
  );
});

test("Volcano names the memory that a queue cannot have", () => {
  const yaml = JSON.stringify({
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "Queue",
    metadata: { name: "a" },
    spec: { capability: { memory: "8Gi" } },
  });
  const asks = { components: [{ gpusPerMember: 1, memGiBPerMember: 12 }] };
  expect(wordsOf("volcano", yaml, [one, { id: "two", submitMs: 1_000, ...asks }], "two")).toBe(
    "Queue a has or was promised 0 of the 8 GiB that it can have; it asks for 12.",
  );
});
