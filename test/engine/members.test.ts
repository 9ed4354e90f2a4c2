import { describe, expect, test } from "vitest";
import { Grant } from "../../src/engine/grant.ts";
import type { Actions, PoolView } from "../../src/engine/view.ts";
import { JobStateCode } from "../../src/model/states.ts";
import { dedent, draw, runLines, runWorld } from "../support/draw.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

function give(view: PoolView, act: Actions, jobIdx: number, node: number, members: number): void {
  const grant = new Grant();
  view.takeDevices(node, members * view.jobs.components.gpus[jobIdx]!, 0, members, grant);
  act.place(jobIdx, grant, 0);
}

function runScript(text: string, steps: Record<number, Step>, serve = false) {
  return runWorld(worldFromText(text), () => scripted(steps, serve));
}

describe("holding, running and making progress are three facts", () => {
  test("members hold devices without progress until the minimum holds, and the run counts from its first device", () => {
    const outcome = runScript("4 gpus\n0s A x4 3s", {
      0: (view, act) => give(view, act, 0, 0, 1),
      2000: (view, act) => give(view, act, 0, 0, 2),
      4000: (view, act) => give(view, act, 0, 0, 1),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 aaaaAAA
      gpu1 ..aaAAA
      gpu2 ..aaAAA
      gpu3 ....AAA`);
    expect(runLines(outcome)).toEqual(["A#1 0-7s x4 completed"]);
  });

  test("two gangs that hold half of what each needs wait for ever: the gang deadlock is possible", () => {
    const world = worldFromText("4 gpus\n0s A x3 3s\n0s B x3 3s", { horizonMs: 6_000 });
    const half: Step = (view, act) => {
      give(view, act, 0, 0, 2);
      give(view, act, 1, 0, 2);
    };
    const outcome = runWorld(world, () => scripted({ 0: half }, false));
    expect(draw(outcome)).toBe(dedent`
      gpu0 aaaaaa
      gpu1 aaaaaa
      gpu2 bbbbbb
      gpu3 bbbbbb`);
    expect(outcome.simulation.jobsDone).toBe(0);
  });

  test("an elastic job runs from its minimum on, grows, and gives the last members back first", () => {
    const outcome = runScript("4 gpus\n0s A x4 8s min 2", {
      0: (view, act) => give(view, act, 0, 0, 2),
      2000: (view, act) => give(view, act, 0, 0, 2),
      5000: (_, act) => act.shrink(0, 0, 1),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAAAAAAA
      gpu1 AAAAAAAA
      gpu2 ..AAAAAA
      gpu3 ..AAA...`);
  });

  test("an eviction names members by their node: the others go on where they are enough", () => {
    const outcome = runScript("2 nodes x 2 gpus\n0s A x4 8s min 3", {
      0: (view, act) => give(view, act, 0, 0, 2),
      1000: (view, act) => give(view, act, 0, 1, 2),
      4000: (_, act) => expect(act.evictMembers(0, 0, 0, 1, -1)).toBe(1),
    });
    expect(draw(outcome)).toBe(dedent`
      n0g0 aAAAAAAAA
      n0g1 aAAA.....
      n1g0 .AAAAAAAA
      n1g1 .AAAAAAAA`);
  });

  test("evicted below its minimum a job holds the rest and has lost what it did since its last checkpoint", () => {
    const outcome = runScript("2 nodes x 2 gpus\n0s A x4 4s", {
      0: (view, act) => {
        give(view, act, 0, 0, 2);
        give(view, act, 0, 1, 2);
      },
      2000: (_, act) => expect(act.evictMembers(0, 0, 1, 2, -1)).toBe(2),
      3000: (view, act) => give(view, act, 0, 1, 2),
    });
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAaAAAA
      n0g1 AAaAAAA
      n1g0 AA.AAAA
      n1g1 AA.AAAA`);
  });

  test("members are split off an entry of several; no more are evicted than are on the node", () => {
    const outcome = runScript("2 nodes x 4 gpus\n0s A x6 4s min 2", {
      0: (view, act) => {
        give(view, act, 0, 0, 4);
        give(view, act, 0, 1, 2);
      },
      1000: (_, act) => expect(act.evictMembers(0, 0, 0, 3, -1)).toBe(3),
      2000: (_, act) => expect(act.evictMembers(0, 0, 1, 1, -1)).toBe(1),
      3000: (_, act) => expect(act.evictMembers(0, 0, 5, 1, -1)).toBe(0),
    });
    expect(draw(outcome)).toBe(dedent`
      n0g0 AAAA
      n0g1 A...
      n0g2 A...
      n0g3 A...
      n1g0 AAAA
      n1g1 AA..
      n1g2 ....
      n1g3 ....`);
  });

  test("below its minimum a shrunk job holds the rest, keeps its work and its limit waits", () => {
    const outcome = runScript("2 gpus\n0s A x2 6s limit 6s", {
      0: (view, act) => give(view, act, 0, 0, 2),
      2000: (_, act) => act.shrink(0, 0, 1),
      5000: (view, act) => give(view, act, 0, 0, 1),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAaaaAAAA
      gpu1 AA...AAAA`);
    expect(runLines(outcome)).toEqual(["A#1 0-9s x2 completed"]);
  });

  test("members on several runs of devices leave with all their devices", () => {
    const outcome = runScript(
      "1 nodes x 6 gpus\n0s X x1 9s\n0s Y x2 1s\n0s Z x1 9s\n0s A 2*2 9s min 1",
      {
        0: (view, act) => {
          give(view, act, 0, 0, 1);
          give(view, act, 1, 0, 2);
          give(view, act, 2, 0, 1);
        },
        1000: (view, act) => give(view, act, 3, 0, 2),
        3000: (_, act) => act.shrink(3, 0, 1),
      },
    );
    expect(draw(outcome)).toBe(dedent`
      gpu0 XXXXXXXXX.
      gpu1 YAAAAAAAAA
      gpu2 YAAAAAAAAA
      gpu3 ZZZZZZZZZ.
      gpu4 .AA.......
      gpu5 .AA.......`);
  });

  test("a move changes devices, not progress", () => {
    const outcome = runScript("2 nodes x 2 gpus\n0s A 1*2 5s", {
      0: (view, act) => give(view, act, 0, 0, 1),
      2000: (view, act) => {
        const grant = new Grant();
        view.takeDevices(1, 2, 0, 1, grant);
        act.move(0, 0, grant);
      },
    });
    expect(draw(outcome)).toBe(dedent`
      n0g0 AA...
      n0g1 AA...
      n1g0 ..AAA
      n1g1 ..AAA`);
    expect(runLines(outcome)).toEqual(["A#1 0-5s x2 completed"]);
  });

  test("a whole-node gang costs one rectangle a node", () => {
    const outcome = runWorld(worldFromText("4 nodes x 8 gpus\n0s A 4x8 5s"), () => scripted({}));
    expect(outcome.chunks[0]!.rects.deviceCount).toEqual(Uint16Array.of(8, 8, 8, 8));
  });
});

describe("a grant that breaks physics stops the run", () => {
  const wrong =
    (fill: (grant: Grant) => void, text = "4 gpus\n0s A x2 3s\n0s B x2 3s") =>
    () =>
      runScript(text, {
        0: (_, act) => {
          const grant = new Grant();
          fill(grant);
          act.place(0, grant, 0);
          act.place(1, grant, 0);
        },
      });

  test("a device given twice", () => {
    expect(wrong((grant) => grant.push(0, 0, 0, 2, 0, 2))).toThrow(/given twice/);
  });
  test("fewer devices than the members ask for", () => {
    expect(wrong((grant) => grant.push(0, 0, 0, 1, 0, 2))).toThrow(/devices too few/);
  });
  test("more members than the job has", () => {
    expect(wrong((grant) => grant.push(0, 0, 0, 3, 0, 3))).toThrow(/too many members/);
  });
  test("devices beyond the node", () => {
    expect(wrong((grant) => grant.push(0, 0, 3, 2, 0, 2))).toThrow(/no devices/);
  });
  test("a job that is not there", () => {
    expect(() =>
      runScript("1 gpus\n0s A x1 1s\n5s B x1 1s", { 0: (_, act) => act.wait(1, 1) }),
    ).toThrow(/does not wait/);
  });
});

test("the view shows the result of a decision to the next decision of the same pass", () => {
  const seen: unknown[] = [];
  runScript("2 nodes x 4 gpus\n0s A 1*3 5s", {
    0: (view, act) => {
      seen.push([
        view.gpusFree[1],
        view.gpusFreeTotal,
        view.freeIndex.countWith(4),
        view.waiting().length,
      ]);
      give(view, act, 0, 1, 1);
      seen.push([
        view.gpusFree[1],
        view.gpusFreeTotal,
        view.freeIndex.countWith(4),
        view.waiting().length,
      ]);
      seen.push([
        view.freeIndex.nextNode(1, -1),
        view.freeIndex.nextNode(4, -1),
        view.freeIndex.nextNode(4, 0),
      ]);
      seen.push([view.running().at[0], view.jobState[0] === JobStateCode.running, view.startMs(0)]);
    },
  });
  expect(seen).toEqual([
    [4, 8, 2, 1],
    [1, 5, 1, 0],
    [1, 0, -1],
    [0, true, 0],
  ]);
});
