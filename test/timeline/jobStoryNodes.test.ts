import { expect, test } from "vitest";
import { DECISION_KINDS } from "../../src/record/shapes.ts";
import { jobStoryOf } from "../../src/timeline/jobStory.ts";
import { runWorld } from "../support/draw.ts";
import { scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

test("decisions about node 1 and device 1 are no part of the story of job 1; a checkpoint is part of its job's", () => {
  const world = worldFromText("2 nodes x 1 gpus\n0s A 1x1 9s\n0s B 1x1 1s");
  const outcome = runWorld(world, () =>
    scripted({
      1000: (_, act) => act.checkpoint(0, 500),
      2000: (_, act) => act.repartition(1, 0, 100),
      3000: (_, act) => act.closeNode(1),
      4000: (_, act) => act.openNode(1),
    }),
  );
  const kindsOf = (jobIdx: number) =>
    jobStoryOf(outcome, jobIdx).decisions.map(({ kind }) => DECISION_KINDS[kind]);
  expect(kindsOf(0)).toEqual(["start", "checkpoint", "saved"]);
  expect(kindsOf(1)).toEqual(["start"]);
});
