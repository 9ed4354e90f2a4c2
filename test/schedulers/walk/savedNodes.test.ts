/** Saved state on nodes: the job goes back to them where they are free. */
import { expect, test } from "vitest";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { runLines, runWorld } from "../../support/draw.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

/** Name and number of the run, with its times. */
function runs(text: string, settings: Record<string, string | boolean | number> = {}): string[] {
  const world = worldFromText(text, { pools: [labPool(settings)] });
  sameWithSnapshots(world);
  return runLines(runWorld(world, schedulerOf))
    .map((line) => line.replace(/ .*?([\d.]+-[\d.]+).*/, " $1"))
    .sort();
}

const PREEMPTED = `2 nodes x 1 gpus
  0s X x1 3s tier 0
  0s A x1 20s save 4s local tier 3
  5s H x1 2s tier 0
  5s K x1 3s tier 0`;

test.each(["none", "skip", "easy", "conservative"])(
  "%s: it goes on from its checkpoint on the second node, though the first is free too",
  (backfill) =>
    // A runs on node 1 from 0 s, saves at 4 s, gives way to K at 5 s; node 0 is free at 7 s, when H ends, and it begins anew there.
    expect(runs(PREEMPTED, { backfill, preemption: "requeue", order: "tiers" })).toContain(
      "A#2 7-27",
    ),
);

test("where the first node with room comes first, the node of its state is preferred", () => {
  const text = PREEMPTED.replace("5s H x1 2s", "5s H x1 3s");
  // Both nodes are free at 8 s: back on node 1 it has 16 s left.
  for (const backfill of ["none", "skip", "easy", "conservative"])
    expect(runs(text, { backfill, preemption: "requeue", order: "tiers" })).toContain("A#2 8-24");
});
