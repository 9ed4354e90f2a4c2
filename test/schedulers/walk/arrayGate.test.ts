import { describe, expect, test } from "vitest";
import { PLAIN_LIFE } from "../../../src/model/lab/jobLife.ts";
import { WaitReasonCode } from "../../../src/model/reasons.ts";
import { NO_REQUEST } from "../../../src/model/slurm/request.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { elastic } from "../../engine/application/lives.ts";
import { dedent, draw, runLines, runWorld, waitReasonLines } from "../../support/draw.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { jobNamed, worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

describe("an array of which two tasks run at once", () => {
  test("keeps the others waiting whatever is free, and others pass them", () => {
    const world = worldFromText(
      `4 gpus
       0s A x1 2s
       0s B x1 3s
       0s C x1 2s
       0s D x1 1s
       1s X x1 2s`,
      { pools: [labPool({ backfill: "easy" })] },
    );
    const task = { ...NO_REQUEST, arrayId: "array", arrayMost: 2 };
    const slurm = new Map(["A", "B", "C", "D"].map((name) => [jobNamed(world, name), task]));
    const outcome = runWorld({ ...world, jobs: { ...world.jobs, slurm } }, schedulerOf);
    expect(draw(outcome)).toBe(dedent`
      gpu0 AACC
      gpu1 BBBD
      gpu2 .XX.
      gpu3 ....`);
    expect(waitReasonLines(outcome)).toContain("0s C limit");
    const why = outcome.simulation.explain(jobNamed(world, "D"), 1_000);
    expect(why?.reason).toBe(WaitReasonCode.limit);
  });
});

describe("an elastic job under a ceiling", () => {
  test("grows no further than the ceiling of its user", () => {
    const world = tenancyWorld("8 gpus\nlimit user each gpus 3\n0s A 2*1 6s user ann", {
      pools: [labPool({ elasticEveryMs: 0 })],
    });
    const life = {
      ...PLAIN_LIFE,
      elastic: elastic(2, { minMembers: 1, maxMembers: 8, restart: "none" as const }),
    };
    const lab = new Map([[0, life]]);
    const outcome = runWorld({ ...world, jobs: { ...world.jobs, lab } }, schedulerOf);
    expect(runLines(outcome)).toEqual(["A#1 0-4s x3 completed"]);
  });
});
