import { describe, expect, test } from "vitest";
import { JobFlag } from "../../../src/model/jobs.ts";
import type { Elastic } from "../../../src/model/lab/jobLife.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { elastic, ends, SAVES, stretches, worldOfLives } from "../../engine/application/lives.ts";
import { dedent, draw, runWorld } from "../../support/draw.ts";
import { labPool } from "../policyDocs.ts";

function run(
  settings: Readonly<Record<string, SettingValue>>,
  text: string,
  lives: Parameters<typeof worldOfLives>[1],
) {
  return runWorld(worldOfLives(text, lives, { pools: [labPool(settings)] }), schedulerOf);
}

const upTo = (maxMembers: number, asked: number, more: Partial<Elastic> = {}) => ({
  elastic: elastic(asked, { minMembers: 1, maxMembers, restart: "none", ...more }),
});

describe("an elastic job that runs", () => {
  test("grows into devices that nobody waits for, and gives them back when somebody does", () => {
    const outcome = run(
      { elasticEveryMs: 2_000 },
      `4 nodes x 1 gpus
       0s A 2*1 16s min 1
       6s B x2 2s`,
      { A: upTo(4, 2) },
    );
    // Two members until 2 s, four until 6 s, two while B runs, four again 2 s after it gave back and B has ended.
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAAAAAAAA
      n1g0 AAAAAAAAAA
      n2g0 ..AAAABBAA
      n3g0 ..AAAABBAA`);
  });

  test("does not grow while somebody waits for room, or where it is not to", () => {
    const blocked = run(
      { elasticEveryMs: 0, backfill: "none" },
      "3 nodes x 1 gpus\n0s A 2*1 4s min 1\n0s B x3 2s",
      { A: upTo(3, 2) },
    );
    expect(ends(blocked)).toEqual(["A 0-4s completed workDone", "B 4-6s completed workDone"]);
    const fixed = run({ growElastic: false }, "4 gpus\n0s A 2*1 4s min 1", { A: upTo(4, 2) });
    expect(ends(fixed)).toEqual(["A 0-4s completed workDone"]);
  });

  test("has allowed sizes only", () => {
    const outcome = run({ elasticEveryMs: 0 }, "7 gpus\n0s A 2*1 8s min 2", {
      A: upTo(8, 2, { allowed: [2, 4, 8], speedQ16: [65_536, 131_072, 262_144] }),
    });
    expect(stretches(outcome, "A")).toEqual(["0-4s running x4"]);
  });
});

describe("an elastic job that waits at the head", () => {
  const text = "4 nodes x 1 gpus\n0s A x2 6s\n0s B 4*1 8s min 2";

  test("starts with fewer members, and grows when others end", () => {
    const outcome = run({ elasticEveryMs: 0 }, text, { B: upTo(4, 4, { minMembers: 2 }) });
    // Half the speed until 6 s: 3 of 8 s done.
    expect(ends(outcome)).toEqual(["A 0-6s completed workDone", "B 0-11s completed workDone"]);
  });

  test("waits for all of them where it is not to start small", () => {
    const outcome = run({ startSmall: false }, text, { B: upTo(4, 4, { minMembers: 2 }) });
    expect(ends(outcome).at(-1)).toBe("B 6-14s completed workDone");
  });

  test("goes on when enough members are back: four asked for, three needed, two lost, one back", () => {
    const outcome = run(
      { elasticEveryMs: 0 },
      "4 nodes x 1 gpus\n0s A 4x1 60s min 3\n20s ! fail 2 3\n30s ! resume 2",
      { A: upTo(4, 4, { minMembers: 3, restart: "horovod", rendezvousMs: 1_000 }) },
    );
    expect(ends(outcome)).toEqual(["A 0-84.334s completed workDone"]);
  });
});

describe("who grows, and where", () => {
  test("the order of the queue decides who grows first, not the number of the job", () => {
    const lives = { A: upTo(3, 2), B: { ...upTo(3, 2), priority: 5 } };
    const text = "5 gpus\n0s A 2*1 6s min 1\n0s B 2*1 6s min 1";
    const byNumber = run({ elasticEveryMs: 0 }, text, lives);
    expect(stretches(byNumber, "A")[0]).toBe("0-4s running x3");
    const byPriority = run({ elasticEveryMs: 0, order: "priority" }, text, lives);
    expect(stretches(byPriority, "B")[0]).toBe("0-4s running x3");
  });

  test("a job that must stay under one leaf grows inside it", () => {
    const world = worldOfLives(
      "4 nodes x 2 gpus, 2 leaves\n0s A 2*1 6s min 1\n0s X x1 20s",
      { A: upTo(8, 2) },
      { pools: [labPool({ elasticEveryMs: 0 })] },
    );
    const { flags } = world.jobs.at;
    flags[0] = flags[0]! | JobFlag.sameLeaf;
    // One device of the leaf is left beside X; the other leaf is idle.
    expect(ends(runWorld(world, schedulerOf))[0]).toBe("A 0-4s completed workDone");
  });

  test("under torchrun it writes a checkpoint first where that loses less than beginning at the last one", () => {
    const text = "4 gpus\n0s A 2*1 12s min 1\n0s X x2 4s";
    const grown = (costMs: number) =>
      run({ elasticEveryMs: 0 }, text, {
        A: { ...upTo(4, 2, { restart: "torchrun" }), checkpoint: { ...SAVES, costMs } },
      });
    // At 4 s: a second to write, then the 8 s that are left with twice the members.
    expect(ends(grown(1_000)).at(-1)).toBe("A 0-9s completed workDone");
    // Writing takes longer than the 4 s of work are worth: all 12 s again, twice as fast.
    expect(ends(grown(5_000)).at(-1)).toBe("A 0-10s completed workDone");
  });
});
