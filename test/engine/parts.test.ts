import { describe, expect, test } from "vitest";
import { Grant } from "../../src/engine/grant.ts";
import type { Actions } from "../../src/engine/view.ts";
import { MIG_GEOMETRIES, migShape, migShapeKnown } from "../../src/model/mig.ts";
import { partOf } from "../../src/record/shapes.ts";
import { runLines, runWorld } from "../support/draw.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

/** Gives one part of a device to a job. Parts above 1,000 are MIG slices by start. */
function givePart(act: Actions, jobIdx: number, device: number, part: number): void {
  const grant = new Grant();
  grant.push(0, 0, device, 1, part, 1);
  act.place(jobIdx, grant, 0);
}

function runScript(text: string, steps: Record<number, Step>) {
  return runWorld(worldFromText(text), () => scripted(steps, false));
}

describe("several jobs on one device", () => {
  test("shares add up to the whole, and the device is free again only when the last one has left", () => {
    const free: number[] = [];
    const outcome = runScript("2 gpus\n0s A x1 3s share 300\n0s B x1 5s share 700", {
      0: (view, act) => {
        givePart(act, 0, 0, 300);
        givePart(act, 1, 0, 700);
        free.push(view.gpusFree[0]!, view.deviceUsed[0]!);
      },
      4000: (view) => free.push(view.gpusFree[0]!, view.deviceUsed[0]!),
      6000: (view) => free.push(view.gpusFree[0]!, view.deviceUsed[0]!),
    });
    expect(free).toEqual([1, 1_000, 1, 700]);
    expect(runLines(outcome)).toEqual(["A#1 0-3s x1 completed", "B#1 0-5s x1 completed"]);
    expect([...outcome.chunks[0]!.rects.bits].map(partOf)).toEqual([300, 700]);
  });

  test("shares beyond the whole are refused by physics", () => {
    const steps = {
      0: (_: unknown, act: Actions) => [givePart(act, 0, 0, 600), givePart(act, 1, 0, 401)],
    };
    const text = "1 gpus\n0s A x1 3s share 600\n0s B x1 5s share 401";
    expect(() => runScript(text, steps as never)).toThrow(/more than the whole/);
  });

  test("MIG slices lie side by side and never overlap", () => {
    const text = "1 gpus\n0s A x1 3s mig 3g.40gb\n0s B x1 5s mig 2g.20gb\n0s C x1 5s mig 2g.20gb";
    const at = (starts: readonly number[]) =>
      runScript(text, {
        0: (_, act) => {
          for (const [jobIdx, start] of starts.entries()) givePart(act, jobIdx, 0, 1_001 + start);
        },
      });
    expect(runLines(at([4, 0, 2]))).toHaveLength(3);
    expect(() => at([4, 0, 3])).toThrow(/overlap/);
    expect(() => at([4, 0, 7])).toThrow(/cannot start at 7/);
  });

  test("a sliced device is not shared, a shared one not sliced", () => {
    const text = "1 gpus\n0s A x1 3s mig 1g.10gb\n0s B x1 5s share 100";
    const order = (first: 0 | 1) => () =>
      runScript(text, {
        0: (_, act) => {
          givePart(act, first, 0, first === 0 ? 1_001 : 100);
          givePart(act, 1 - first, 0, first === 0 ? 100 : 1_001);
        },
      });
    expect(order(0)).toThrow(/sliced and cannot be shared/);
    expect(order(1)).toThrow(/shared and cannot be sliced/);
  });

  test("a job that asks for whole devices gets no part", () => {
    expect(() =>
      runScript("1 gpus\n0s A x1 3s", { 0: (_, act) => givePart(act, 0, 0, 500) }),
    ).toThrow(/whole devices/);
  });
});

describe("MIG placements", () => {
  const at = (gpu: string, memMiB: number, profile: string) =>
    migShapeKnown(gpu, memMiB, profile)?.starts ?? null;

  test("are those of the driver's table, per GPU and memory", () => {
    expect(at("A100-SXM4-80GB", 81_920, "3g.40gb")).toEqual([0, 4]);
    expect(at("NVIDIA A100", 40_960, "1g.10gb")).toEqual([0, 2, 4, 6]);
    expect(at("a100", 81_920, "1g.10gb")).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(at("H100", 81_559, "4g.40gb+me")).toEqual([0]);
    expect(at("A100", 81_920, "1g.5gb")).toBeNull();
    expect(at("H100 NVL", 96_256, "1g.12gb")).toBeNull();
    expect(at("GH200", 98_304, "1g.12gb")).toBeNull();
  });

  test("end within the device, and their sizes are those of the ledger", () => {
    for (const { model, memGiB, shapes } of MIG_GEOMETRIES) {
      for (const [profile, { slices, starts }] of shapes) {
        expect(Math.max(...starts) + slices).toBeLessThanOrEqual(8);
        expect(migShape("another GPU", memGiB * 1_024, profile).slices).toBe(slices);
        expect(migShape(model, memGiB * 1_024, profile).starts).toBe(starts);
      }
    }
  });

  test("that the driver does not accept stop the run, though nothing overlaps", () => {
    const text = "1 gpus\n0s A x1 3s mig 3g.40gb\n0s B x1 3s mig 2g.20gb\n0s C x1 3s mig 1g.10gb";
    const starting = (starts: readonly number[]) => () =>
      runScript(text, {
        0: (_, act) => {
          for (const [jobIdx, start] of starts.entries()) givePart(act, jobIdx, 0, 1_001 + start);
        },
      });
    expect(starting([4, 0, 3])).not.toThrow();
    expect(starting([2])).toThrow(/3g.40gb cannot start at 2/);
    expect(starting([4, 1])).toThrow(/2g.20gb cannot start at 1/);
    expect(starting([0, 4, 7])).toThrow(/1g.10gb cannot start at 7/);
  });
});

describe("cutting a device anew", () => {
  test("takes time in which nobody can have it, and its pool hears of the end", () => {
    const seen: unknown[] = [];
    const outcome = runWorld(worldFromText("2 gpus\n0s A x1 2s\n1s B x2 2s"), () =>
      scripted({
        0: (_, act) => act.repartition(0, 1, 4_000),
        3000: (view) => seen.push([view.gpusFreeTotal, view.gpusOpenTotal, view.deviceUsed[1]]),
        4000: (view, _, happened) => seen.push([view.gpusFreeTotal, happened.nodesChanged]),
      }),
    );
    expect(seen).toEqual([
      [1, 2, 1_000],
      [2, true],
    ]);
    expect(runLines(outcome)).toEqual(["A#1 0-2s x1 completed", "B#1 4-6s x2 completed"]);
  });

  test("needs an idle device: a share in use is enough to forbid it", () => {
    const steps: Record<number, Step> = {
      0: (_, act) => {
        givePart(act, 0, 0, 300);
        act.repartition(0, 0, 1_000);
      },
    };
    expect(() => runScript("1 gpus\n0s A x1 3s share 300", steps)).toThrow(/is in use/);
  });

  test("twice at once is a scheduler's bug, and a slice cannot start on it meanwhile", () => {
    const text = "1 gpus\n0s A x1 3s mig 1g.10gb";
    const meanwhile = (then: (act: Actions) => void) => () =>
      runScript(text, {
        0: (_, act) => {
          act.repartition(0, 0, 1_000);
          then(act);
        },
      });
    expect(meanwhile((act) => act.repartition(0, 0, 1_000))).toThrow(/is in use/);
    expect(meanwhile((act) => givePart(act, 0, 0, 1_001))).toThrow(/more than the whole/);
    expect(meanwhile(() => undefined)).not.toThrow();
  });

  test("goes on while its node is down", () => {
    const text = "1 nodes x 1 gpus\n0s A x1 1s\n1s ! fail 0\n2s ! resume 0";
    const outcome = runWorld(worldFromText(text), () =>
      scripted({ 0: (_, act) => act.repartition(0, 0, 3_000) }),
    );
    expect(runLines(outcome)).toEqual(["A#1 3-4s x1 completed"]);
  });
});

test("a MIG profile takes eighths of the memory of the GPU it is cut from", () => {
  expect(
    ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"].map(
      (p) => migShape("", 81_920, p).slices,
    ),
  ).toEqual([1, 2, 2, 4, 8]);
  expect(
    ["1g.18gb", "2g.35gb", "3g.71gb", "4g.71gb"].map((p) => migShape("", 144_384, p).slices),
  ).toEqual([1, 2, 4, 4]);
  expect(["1g.23gb", "2g.45gb", "7g.180gb"].map((p) => migShape("", 184_320, p).slices)).toEqual([
    1, 2, 8,
  ]);
});

describe("CPUs and memory", () => {
  test("count beside devices: a job without them left waits, whatever GPUs are free", () => {
    const outcome = runWorld(
      worldFromText(`1 nodes x 8 gpus, 16 cpus, 100 mem
        0s A x1 5s cpus 12
        0s B x1 5s cpus 8
        0s C x2 2s mem 60`),
      () => scripted({}),
    );
    expect(runLines(outcome)).toEqual(["A#1 0-5s x1 completed", "B#1 5-10s x1 completed"]);
    expect(outcome.open.waits.jobIdx).toEqual(Uint32Array.of(2));
  });

  test("taken beyond what a node has stop the run", () => {
    const grant = new Grant();
    grant.push(0, 0, 0, 2, 0, 2);
    const text = "1 nodes x 8 gpus, 16 cpus\n0s A x2 5s cpus 9";
    expect(() => runScript(text, { 0: (_, act) => act.place(0, grant, 0) })).toThrow(
      /too few CPUs/,
    );
  });

  test("a job without GPUs holds CPUs on its node and draws no rectangle", () => {
    const outcome = runWorld(
      worldFromText("1 nodes x 1 gpus, 4 cpus\n0s A 2*0 5s cpus 2\n1s B 1*0 1s cpus 1"),
      () => scripted({}),
    );
    expect(runLines(outcome)).toEqual(["A#1 0-5s x0 completed", "B#1 5-6s x0 completed"]);
    expect(outcome.chunks[0]!.rects.jobIdx.length).toBe(0);
  });
});
