/** A line that Ray looks at no more until room comes tells each head that it gets why it waits. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

/** What `next` hears of waiting behind `first`, which is cancelled at 10 s; each asks for so much on a node of 2 GPUs. */
const heard = (component: object) => {
  const job = (id: string, submitMs: number) => ({
    id,
    submitMs,
    workMs: 5_000,
    components: [component],
  });
  const world = documentWorld({
    version: 1,
    horizonMs: 30_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2, cpus: 8 }] },
    pools: [{ id: "all", policy: { preset: "ray" } }],
    workload: { jobs: [job("first", 0), job("next", 1_000)] },
    interventions: [{ kind: "cancel", atMs: 10_000, job: "first" }],
  });
  sameWithSnapshots(world);
  const { decisions } = runAll(world).chunk;
  const next = jobNamed(world, "next");
  return Array.from(decisions.kind, (kind, row) =>
    kind === DecisionKindCode.wait && decisions.jobIdx[row] === next
      ? [decisions.atMs[row], kubeReasonOf(decisions.reason[row]!)]
      : [],
  ).filter(({ length }) => length > 0);
};

test("a call that no worker is large enough for, once the one before it is cancelled", () => {
  expect(heard({ gpusPerMember: 3 })).toEqual([
    [1_000, "behindLike"],
    [10_000, "rayInfeasible"],
  ]);
});

test("a placement group, at once and not at its next try", () => {
  expect(heard({ members: 2, gpusPerMember: 2 })).toEqual([
    [1_000, "behindLike"],
    [10_000, "rayGroupNever"],
  ]);
});
