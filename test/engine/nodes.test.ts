import { describe, expect, test } from "vitest";
import { NODE_STATES, NodeStateCode } from "../../src/model/states.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { dedent, draw, type Outcome, runLines, runWorld } from "../support/draw.ts";
import { fcfs, type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

const run = (text: string) => runWorld(worldFromText(text), () => fcfs);

function spanLines(outcome: Outcome): string[] {
  return outcome.chunks.flatMap(({ nodeSpans }) =>
    Array.from(nodeSpans.node, (node, i) => {
      const times = `${nodeSpans.startMs[i]! / 1_000}-${nodeSpans.endMs[i]! / 1_000}s`;
      return `n${node} ${times} ${NODE_STATES[nodeSpans.state[i]!]}`;
    }),
  );
}

describe("nodes over time", () => {
  test("a drained node finishes its work and takes none until it is resumed", () => {
    const outcome = run(`1 nodes x 2 gpus
      0s A x1 4s
      2s B x1 2s
      1s ! drain 0
      6s ! resume 0`);
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAAA..BB
      gpu1 ........`);
    expect(spanLines(outcome)).toEqual(["n0 1-6s drained"]);
  });

  test("a failed node takes its members along: a rigid job starts again from nothing elsewhere", () => {
    const outcome = run(`3 nodes x 2 gpus
      0s A 2x2 6s
      4s ! fail 1`);
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAAAAAAAA
      n0g1 AAAAAAAAAA
      n1g0 AAAA......
      n1g1 AAAA......
      n2g0 ....AAAAAA
      n2g1 ....AAAAAA`);
    expect(runLines(outcome)).toEqual(["A#1 0-4s x4 nodeFailed", "A#2 4-10s x4 completed"]);
  });

  test("an elastic job at or above its minimum goes on without the members it lost", () => {
    const outcome = run(`8 nodes x 8 gpus
      0s A 8x8 6s min 7
      2s ! fail 3`);
    expect(runLines(outcome)).toEqual(["A#1 0-6s x64 completed"]);
    const { rects } = outcome.chunks[0]!;
    const short = Array.from(rects.endMs, (endMs, i) => ({
      endMs,
      device: rects.device[i]!,
    })).filter((r) => r.endMs === 2_000);
    expect(short).toEqual([{ endMs: 2_000, device: 24 }]);
  });

  test("a repaired node serves again from the instant of its repair", () => {
    const outcome = run(`1 nodes x 1 gpus
      0s A x1 3s
      1s ! fail 0
      5s ! resume 0`);
    expect(runLines(outcome)).toEqual(["A#1 0-1s x1 nodeFailed", "A#2 5-8s x1 completed"]);
    expect(spanLines(outcome)).toEqual(["n0 1-5s down"]);
  });

  test("ends come before failures at the same instant", () => {
    const outcome = run("1 nodes x 1 gpus\n0s A x1 3s\n3s ! fail 0");
    expect(runLines(outcome)).toEqual(["A#1 0-3s x1 completed"]);
  });

  test("a node that a scheduler gives back is gone until the scheduler has it again", () => {
    const outcome = runWorld(
      worldFromText("2 nodes x 1 gpus\n0s A x2 2s\n1s B x1 1s\n3s C x2 1s"),
      () =>
        scripted({
          0: (_, act) => act.closeNode(1),
          5000: (_, act) => act.openNode(1),
        }),
    );
    expect(runLines(outcome)).toEqual([
      "A#1 5-7s x2 completed",
      "B#1 7-8s x1 completed",
      "C#1 8-9s x2 completed",
    ]);
    expect(spanLines(outcome)).toEqual(["n1 0-5s unborn"]);
  });

  test("a node that is given back with work on it finishes the work and takes no more", () => {
    const outcome = runWorld(
      worldFromText("2 nodes x 2 gpus\n0s A 1*1 5s\n0s B 1*1 3s\n2s C 2x1 2s"),
      () =>
        scripted({
          1000: (_, act) => act.closeNode(0),
          4000: (view) => expect(view.onTheWay(0)).toBe(true),
          6000: (view, act) => {
            expect([view.onTheWay(0), view.nodeState[0]]).toEqual([false, NodeStateCode.unborn]);
            act.openNode(0);
          },
        }),
    );
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAAA.CC
      n0g1 BBB.....
      n1g0 ......CC
      n1g1 ........`);
    expect(spanLines(outcome)).toEqual(["n0 1-5s drained", "n0 5-6s unborn"]);
  });

  test("a Ray node that takes three minutes to boot serves from then on, and is in no index before", () => {
    const free: number[][] = [];
    const look: Step = (view) =>
      free.push([view.gpusFreeTotal, view.gpusOpenTotal, view.freeIndex.countWith(2)]);
    const outcome = runWorld(
      worldFromText("2 nodes x 2 gpus\n10s A 2x2 60s\n10s B 1*1 1s", { unborn: [1] }),
      () =>
        scripted({
          10000: (view, act) => {
            act.openNode(1, 180_000);
            look(view, act, {} as never);
          },
          100000: look,
          189999: look,
          190000: look,
        }),
    );
    expect(runLines(outcome)).toEqual(["A#1 190-250s x4 completed", "B#1 250-251s x1 completed"]);
    expect(spanLines(outcome)).toEqual(["n1 0-190s unborn"]);
    expect(free).toEqual([
      [2, 2, 1],
      [2, 2, 1],
      [2, 2, 1],
      [4, 4, 2],
    ]);
  });

  test("a boot that is called off brings nothing, and a second one counts from its own begin", () => {
    const outcome = runWorld(worldFromText("2 nodes x 1 gpus\n0s A x2 1s", { unborn: [1] }), () =>
      scripted({
        0: (_, act) => act.openNode(1, 5_000),
        2000: (_, act) => act.closeNode(1),
        3000: (_, act) => act.openNode(1, 5_000),
      }),
    );
    expect(runLines(outcome)).toEqual(["A#1 8-9s x2 completed"]);
  });

  test("a boot asked for twice is a scheduler's bug", () => {
    const world = worldFromText("1 nodes x 1 gpus\n0s A x1 5s", { unborn: [0] });
    const twice = scripted({
      0: (_, act) => {
        act.openNode(0, 9);
        act.openNode(0, 9);
      },
    });
    expect(() => runWorld(world, () => twice)).toThrow(/boots already/);
  });
});

describe("pools", () => {
  const text = `2 nodes x 2 gpus
    0s A x2 4s pool 0
    0s B x1 2s pool 0
    1s C x1 3s pool 1`;
  const pools = [0, 1].map(() => ({ preset: "fcfs", settings: {} }));

  test("each pool has its scheduler and its nodes: one's queue does not see the other's idle node", () => {
    const outcome = runWorld(worldFromText(text, { pools, poolOfNode: [0, 1] }), () => fcfs);
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAABB
      n0g1 AAAA..
      n1g0 .CCC..
      n1g1 ......`);
  });

  test("a scheduler that places on another pool's node is stopped", () => {
    const world = worldFromText(text, { pools, poolOfNode: [0, 1] });
    const trespass = scripted({
      1000: (view, act) => {
        if (view.pool === 1) act.evict(0, "cancel", 0, -1);
      },
    });
    expect(() => runWorld(world, () => trespass)).toThrow(/belongs to another pool/);
  });

  test("a pool's scheduler is called only when something happened in its pool", () => {
    const calls: string[] = [];
    const world = worldFromText(text, { pools, poolOfNode: [0, 1] });
    const spy = {
      ...fcfs,
      decide: ((view, ...rest) => {
        calls.push(`${view.nowMs / 1_000}s p${view.pool}`);
        return fcfs.decide(view, ...rest);
      }) as typeof fcfs.decide,
    };
    runWorld(world, () => spy);
    expect(calls).toEqual(["0s p0", "0s p1", "1s p1", "4s p0", "4s p1", "6s p0"]);
  });
});

describe("a node that changes pool", () => {
  const pools = [0, 1].map(() => ({ preset: "p", settings: {} }));
  const text = `3 nodes x 2 gpus
    0s A 1*2 4s pool 0
    0s B 1*1 2s pool 1
    1s C 2x2 3s pool 1
    1s D 2x1 3s pool 0`;
  const spec = { pools, poolOfNode: [0, 0, 1] };
  /** Pool 0 follows the script, pool 1 serves in order. */
  const handing = (steps: Record<number, Step>) =>
    scripted(
      Object.fromEntries(
        Object.entries(steps).map(([time, step]) => [
          time,
          ((view, act, happened) => view.pool === 0 && step(view, act, happened)) as Step,
        ]),
      ),
    );

  test("finishes the work of the one side, costs its time, and serves the other", () => {
    const outcome = runWorld(worldFromText(text, spec), () =>
      handing({ 1000: (_, act) => act.handNode(0, 1, 2_000) }),
    );
    // D of pool 0 needs two nodes and has one left; C of pool 1 has its second from 6 s on.
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAA..CCC
      n0g1 AAAA..CCC
      n1g0 .........
      n1g1 .........
      n2g0 BB....CCC
      n2g1 ......CCC`);
    expect(spanLines(outcome)).toEqual(["n0 1-6s drained"]);
  });

  test("is in the lists, totals and indexes of one pool at a time, and both hear of it", () => {
    const seen: Record<string, unknown> = {};
    const spy: Step = (view, _, happened) => {
      seen[`${view.nowMs / 1_000}s p${view.pool}`] = [
        [...view.nodes],
        view.gpusFreeTotal,
        view.gpusOpenTotal,
        view.freeIndex.countWith(2),
        happened.nodesChanged,
      ];
    };
    const idle = "3 nodes x 2 gpus\n0s A 1*1 9s pool 0\n0s B 1*1 9s pool 1";
    runWorld(worldFromText(idle, spec), () =>
      scripted({
        1000: (view, act) => view.pool === 0 && act.handNode(1, 1, 3_000),
        2000: spy,
        4000: spy,
      }),
    );
    expect(seen).toEqual({
      // What its own decision changed, pool 0 has heard of in its next pass at 1 s.
      "2s p0": [[0, 1], 1, 2, 0, false],
      "2s p1": [[2], 1, 2, 0, false],
      "4s p0": [[0], 1, 2, 0, true],
      "4s p1": [[1, 2], 3, 4, 1, true],
    });
  });

  test("that fails on the way stays where it was", () => {
    const outcome = runWorld(worldFromText(`${text}\n2s ! fail 0\n3s ! resume 0`, spec), () =>
      handing({ 1000: (_, act) => act.handNode(0, 1, 2_000) }),
    );
    expect(runLines(outcome)).toEqual([
      "B#1 0-2s x1 completed",
      "A#1 0-2s x2 nodeFailed",
      "A#2 2-6s x2 completed",
      "D#1 6-9s x2 completed",
    ]);
  });

  test("that an intervention drains meanwhile arrives drained", () => {
    const outcome = runWorld(worldFromText(`${text}\n2s ! drain 0\n9s ! resume 0`, spec), () =>
      handing({ 1000: (_, act) => act.handNode(0, 1, 2_000) }),
    );
    expect(runLines(outcome).at(-1)).toBe("C#1 9-12s x4 completed");
  });

  test("of more devices than its new pool has known so far is found by the indexes there", () => {
    const world = worldFromText("2 nodes x 4 gpus\n0s A 1*3 2s pool 0\n0s B 1*4 2s pool 0", {
      pools,
      poolOfNode: [1, 1],
    });
    const found: number[] = [];
    const outcome = runWorld(world, () =>
      scripted({
        0: (view, act) => {
          if (view.pool === 1) {
            act.handNode(0, 0, 0);
            act.handNode(1, 0, 1_000);
          }
        },
        1000: (view) => view.pool === 0 && found.push(view.freeIndex.nextNode(4, -1)),
      }),
    );
    expect(found).toEqual([1]);
    expect(runLines(outcome)).toEqual(["A#1 0-2s x3 completed", "B#1 1-3s x4 completed"]);
  });

  test.each(["none", "easy", "conservative"])(
    "serves a queue with backfill %s on the other side as if it had always been there",
    (backfill) => {
      const rest = { order: "fcfs", placement: "firstFit", depth: 100 };
      const busy = `3 nodes x 2 gpus
        0s A 1*2 4s pool 0
        0s B 1*2 20s limit 30s pool 1
        1s C 1*2 3s limit 5s pool 1
        1s D 1*2 3s limit 5s pool 1`;
      const world = worldFromText(busy, {
        pools: [
          { preset: "hand", settings: {} },
          { preset: "lab", settings: { ...rest, backfill } },
        ],
        poolOfNode: [0, 0, 1],
      });
      const outcome = runWorld(world, (name) =>
        name === "lab"
          ? schedulerOf("lab")
          : handing({ 1000: (_, act) => act.handNode(0, 1, 2_000) }),
      );
      expect(runLines(outcome)).toEqual([
        "A#1 0-4s x2 completed",
        "C#1 6-9s x2 completed",
        "D#1 9-12s x2 completed",
        "B#1 0-20s x2 completed",
      ]);
    },
  );
});
