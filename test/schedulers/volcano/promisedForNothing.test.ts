/** The gate of enqueue counts devices, not nodes: what a group that no node can hold was promised is missing for others, and both are told so. */
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { groupWorld } from "../../support/groupWorlds.ts";

const job = { workSec: 60, tier: 1, queue: 0, form: "" };
const world = groupWorld(
  "volcano",
  "",
  [
    { ...job, atSec: 0, members: 2, gpus: 5 },
    { ...job, atSec: 1, members: 5, gpus: 1, queue: 1 },
    { ...job, atSec: 1, members: 5, gpus: 1 },
  ],
  {},
);

test("a group that fits no node is told what it holds back, and one that is not let in whose promise it waits for", () => {
  const simulation = new Simulation(world, schedulerOf);
  simulation.advance({ untilMs: 8_000, maxEvents: Number.POSITIVE_INFINITY });
  const words = (jobIdx: number) => simulation.explain(jobIdx, 8_000)?.counted;
  expect(words(0)).toContain("No node can hold one of its members, even empty");
  expect(words(1)).toBe(
    "12 GPUs are free and 10 promised to groups let in before it, 10 of them promised to groups that no node can hold; it asks for 5.",
  );
  expect(words(2)).toBe(
    "Queue q0 has or was promised 10 of the 12 GPUs that it can have, 10 of them promised to groups that no node can hold; it asks for 5.",
  );
});
