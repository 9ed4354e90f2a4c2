import { describe, expect, test } from "vitest";
import { NODE_STATES } from "../../src/model/states.ts";
import { dedent, draw, type Outcome, runLines, runWorld } from "../support/draw.ts";
import { fcfs, scripted } from "../support/testScheduler.ts";
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

  test("a node with work on it cannot vanish", () => {
    const world = worldFromText("1 nodes x 1 gpus\n0s A x1 5s");
    expect(() => runWorld(world, () => scripted({ 2000: (_, act) => act.closeNode(0) }))).toThrow(
      /with jobs on it/,
    );
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
