/** What found no room beside places that were kept for others is looked at again when nobody keeps them. */
import { expect, test } from "vitest";
import { kaiRules } from "../../../src/schedulers/kai/kai.ts";
import { groupScheduler } from "../../../src/schedulers/podGroups/sessions.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

/** G takes room from the elastic E and keeps places while two of E's members leave; S comes meanwhile. */
function contended() {
  return documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset: "kai" } }],
    workload: {
      jobs: [
        {
          id: "E",
          submitMs: 0,
          workMs: 100_000,
          tier: "low",
          components: [{ members: 4, minMembers: 2 }],
        },
        {
          id: "G",
          submitMs: 40_000,
          workMs: 10_000,
          components: [{ members: 2, gpusPerMember: 2 }],
        },
        { id: "S", submitMs: 40_179, workMs: 10_000, components: [{}] },
      ],
    },
  });
}

const startOf = (jobIdx: number, { chunk }: ReturnType<typeof runAll>) =>
  chunk.runs.startMs[chunk.runs.jobIdx.indexOf(jobIdx)];

test("a small job starts where a place was kept for others as soon as nobody keeps it", () => {
  const world = contended();
  const all = groupScheduler(kaiRules(true), true);
  const thorough = runAll(world, {}, (name) => (name === "kai" ? all : schedulerOf(name)));
  const kai = runAll(world);
  const small = 2;
  expect(startOf(small, kai)).toBe(startOf(small, thorough));
  expect(kai.simulation.digest()).toBe(thorough.simulation.digest());
});
