import { describe, expect, test } from "vitest";
import { Grant } from "../../src/engine/grant.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { PoolView } from "../../src/engine/view.ts";
import { StartReasonCode } from "../../src/model/reasons.ts";
import { DecisionKindCode, endStateOf, rectBits } from "../../src/record/shapes.ts";
import { draw, runLines, runWorld } from "../support/draw.ts";
import { job, living, S, spec } from "../support/specs.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { jobNamed, worldFromText, worldOf } from "../support/world.ts";

describe("what a grant takes", () => {
  const place = (fill: (grant: Grant) => void): Step => {
    return (_view, act) => {
      const grant = new Grant();
      fill(grant);
      act.place(0, grant, StartReasonCode.inOrder);
    };
  };
  const world = () =>
    worldOf(
      spec([
        job("A", 0, 5 * S, { components: [{ members: 1, gpus: 1, cpuMilli: 2_000, memMiB: 10 }] }),
        job("B", 0, 2 * S, { components: [{ members: 1, gpus: 0, cpuMilli: 1_000 }] }),
      ]),
    );

  test("a whole node may be given to a job that asks for less: all of it is held, shown, and given back", () => {
    const free: number[][] = [];
    const note = (view: PoolView) =>
      free.push([view.gpusFreeTotal, view.cpuMilliFree[0]!, view.memMiBFree[0]!]);
    const outcome = runWorld(world(), () =>
      scripted({
        0: place((grant) => grant.push(0, 0, 0, 4, 0, 1, 8_000, 100)),
        1000: note,
        9000: note,
      }),
    );
    expect(draw(outcome).match(/AAAAA/g)).toHaveLength(4);
    expect(runLines(outcome)).toContain("A#1 0-5s x4 completed");
    expect(free[0]).toEqual([0, 0, 0]);
    // B waited for a CPU.
    expect(runLines(outcome)).toContain("B#1 5-7s x0 completed");
  });

  test("fewer devices than asked break the rules", () => {
    const few = scripted({ 0: place((grant) => grant.push(0, 0, -1, 0, 0, 1)) });
    expect(() => runWorld(world(), () => few)).toThrow("too few");
  });

  test("when the last of its members goes, what they had beyond it goes too", () => {
    const elastic = worldOf(
      spec([
        job("A", 0, 5 * S, {
          components: [{ members: 2, minMembers: 1, gpus: 1, cpuMilli: 1_000 }],
        }),
      ]),
    );
    const seen: number[] = [];
    runWorld(elastic, () =>
      scripted(
        {
          0: place((grant) => {
            grant.push(0, 0, 0, 1, 0, 1, 3_000, 0);
            grant.push(0, 0, 2, 2, 0, 1, 5_000, 0);
          }),
          1000: (view, act) => {
            act.shrink(0, 0, 1);
            seen.push(view.gpusFreeTotal, view.cpuMilliFree[0]!);
          },
        },
        false,
      ),
    );
    expect(seen).toEqual([3, 5_000]);
  });

  test("a suspended job may give its CPUs back, and takes them again or not at all", () => {
    const seen: number[] = [];
    const steps: Record<number, Step> = {
      0: place((grant) => grant.push(0, 0, 0, 1, 0, 1, 8_000, 0)),
      1000: (view, act) => {
        act.suspend(0, true);
        seen.push(view.cpuMilliFree[0]!, view.gpusFreeTotal);
      },
      4000: (_view, act) => act.resume(0),
    };
    const outcome = runWorld(world(), () => scripted(steps));
    expect(seen).toEqual([8_000, 3]);
    expect(runLines(outcome)).toEqual(["B#1 1-3s x0 completed", "A#1 0-8s x1 completed"]);
    const early = { ...steps, 2000: (_view: PoolView, act: Parameters<Step>[1]) => act.resume(0) };
    expect(() => runWorld(world(), () => scripted(early))).toThrow("too few CPUs");
  });
});

describe("small decisions", () => {
  test("a checkpoint that takes no time makes the work so far safe at once", () => {
    const world = worldFromText("1 gpus\n0s A x1 10s");
    const outcome = runWorld(world, () =>
      scripted({
        6000: (_view, act) => {
          act.checkpoint(0, 0);
          act.evict(0, "requeue", 0, -1);
        },
      }),
    );
    expect(runLines(outcome)).toEqual(["A#1 0-6s x1 requeued", "A#2 6-10s x1 completed"]);
  });

  test("a pass and the queue of a start are written down, and a pass alone changes nothing", () => {
    const world = worldFromText("1 gpus\n0s A x1 2s");
    const outcome = runWorld(world, () =>
      scripted(
        {
          0: (_view, act) => {
            const grant = new Grant();
            grant.push(0, 0, 0, 1, 0, 1);
            act.place(0, grant, StartReasonCode.inOrder, 0, 3);
            act.pass(1, 7, 1);
          },
        },
        false,
      ),
    );
    const { kind, value, reason, jobIdx } = outcome.chunks[0]!.decisions;
    const rows = Array.from(kind, (each, i) => [each, reason[i], jobIdx[i], value[i]]);
    expect(rows).toContainEqual([DecisionKindCode.start, 0, 0, 4]);
    expect(rows).toContainEqual([DecisionKindCode.pass, 1, 7, 1]);
  });

  test("how many runs a job has had is seen while it lives", () => {
    const seen: number[] = [];
    const world = worldFromText("1 gpus\n0s A x1 3s\n0s B x1 1s");
    runWorld(world, () =>
      scripted({
        1000: (view, act) => {
          seen.push(view.runs(0), view.runs(1));
          act.evict(0, "requeue", 0, -1);
        },
        2000: (view) => seen.push(view.runs(jobNamed(world, "A"))),
      }),
    );
    expect(seen).toEqual([1, 0, 2]);
  });

  test("a rectangle remembers that its run failed, in the bits of a refusal that has no rectangle", () => {
    for (let endState = 0; endState <= 8; endState++) {
      if (endState === 7) continue;
      expect(endStateOf(rectBits(2, endState, 1_001))).toBe(endState);
    }
  });

  test("a question about a moment in between is answered by the same rules", () => {
    const world = worldFromText("1 gpus\n0s A x1 50s limit 10s\n0s B x1 1s");
    const simulation = new Simulation(world, () => living({ limitCheckEveryMs: 30 * S }));
    simulation.advance({ untilMs: 100 * S, maxEvents: Number.POSITIVE_INFINITY });
    expect(simulation.explain(1, 29 * S)?.position).toBe(0);
    expect(simulation.explain(1, 30 * S)).toBeNull();
  });
});
