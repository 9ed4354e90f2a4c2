import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Dirty, FrameLoop } from "../../src/render/frameLoop.ts";

/** Frames that the test lets pass, 16 ms each; painting takes as long as a painter says. */
let frames: FrameRequestCallback[] = [];
let clockMs = 0;
let asked = 0;
/** What a pause of the loop calls when it is over. */
let timers: { readonly atMs: number; readonly call: () => void }[] = [];

beforeEach(() => {
  frames = [];
  clockMs = 0;
  asked = 0;
  vi.stubGlobal("cancelAnimationFrame", () => frames.splice(0));
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    asked += 1;
    return frames.push(call);
  });
  timers = [];
  vi.stubGlobal("setTimeout", (call: () => void, ms: number) => {
    const timer = { atMs: clockMs + ms, call };
    timers.push(timer);
    return timer;
  });
  vi.stubGlobal("clearTimeout", (timer: (typeof timers)[number]) => {
    timers = timers.filter((other) => other !== timer);
  });
  vi.spyOn(performance, "now").mockImplementation(() => clockMs);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function passFrames(count: number): void {
  for (let i = 0; i < count; i++) {
    clockMs = Math.max(Math.ceil(clockMs / 16) * 16, clockMs + 1);
    const over = timers.filter(({ atMs }) => atMs <= clockMs);
    timers = timers.filter((timer) => !over.includes(timer));
    for (const { call } of over) call();
    for (const call of frames.splice(0)) call(clockMs);
  }
}

function painter(loop: FrameLoop, name: string, costMs: number) {
  const calls: number[] = [];
  const paint = (dirty: number): number => {
    calls.push(dirty);
    clockMs += costMs;
    return 0;
  };
  return { calls, ...loop.register({ name, paint }) };
}

describe("the frame loop", () => {
  test("asks for no frame while nothing is dirty", () => {
    const loop = new FrameLoop();
    painter(loop, "bars", 1);
    passFrames(1);
    expect(frames).toHaveLength(0);
    passFrames(10);
    expect(asked).toBe(1);
  });

  test("a mark paints its painter alone, once a frame, with what changed", () => {
    const loop = new FrameLoop();
    const bars = painter(loop, "bars", 1);
    const lanes = painter(loop, "lanes", 1);
    passFrames(1);
    bars.mark(Dirty.overlay);
    bars.mark(Dirty.overlay);
    passFrames(3);
    expect(bars.calls).toEqual([Dirty.all, Dirty.overlay]);
    expect(lanes.calls).toEqual([Dirty.all]);
  });

  test("more of the record waits while a frame has spent its budget, and nobody waits for ever", () => {
    const loop = new FrameLoop();
    const painters = ["a", "b", "c"].map((name) => painter(loop, name, 6));
    passFrames(1);
    for (const each of painters) each.mark(Dirty.more);
    passFrames(1);
    expect(painters.map(({ calls }) => calls.length)).toEqual([2, 1, 1]);
    for (let frame = 0; frame < 20; frame++) {
      const before = clockMs;
      passFrames(1);
      expect(clockMs - before).toBeLessThan(16 + 2 * 6);
    }
    expect(painters.map(({ calls }) => calls)).toEqual(painters.map(() => [Dirty.all, Dirty.data]));
  });

  test("a round of more takes who asked before it began; who asks during it waits for the next", () => {
    const loop = new FrameLoop();
    let record = 0;
    let round = -1;
    loop.onRound(() => {
      round = record;
    });
    const seen: Record<string, number[]> = { a: [], b: [], c: [] };
    const handles = Object.entries(seen).map(([name, calls]) =>
      loop.register({
        name,
        paint: (dirty) => {
          if (dirty === Dirty.data) calls.push(round);
          clockMs += 6;
          return 0;
        },
      }),
    );
    passFrames(1);
    for (let frame = 0; frame < 60; frame++) {
      record += 1;
      for (const handle of handles) handle.mark(Dirty.more);
      passFrames(1);
    }
    passFrames(40);
    expect(seen.a!.length).toBeGreaterThan(3);
    expect(seen.b).toEqual(seen.a);
    expect(seen.c).toEqual(seen.a);
    expect(seen.a!.at(-1)).toBe(60);
  });

  test("work in slices, frame after frame, does not hold up the next round", () => {
    const loop = new FrameLoop();
    const lanes = painter(loop, "lanes", 1);
    const slice = () => {
      clockMs += 3;
      return Dirty.data;
    };
    loop.register({ name: "index", paint: slice });
    passFrames(1);
    lanes.mark(Dirty.more);
    passFrames(3);
    expect(lanes.calls).toEqual([Dirty.all, Dirty.data]);
  });

  test("no frame is asked for while all waits for a round that rests, but what people do ends the rest", () => {
    const loop = new FrameLoop();
    const bars = painter(loop, "bars", 10);
    passFrames(1);
    bars.mark(Dirty.more);
    passFrames(1);
    const before = asked;
    bars.mark(Dirty.more);
    passFrames(3);
    expect([asked, bars.calls.length]).toEqual([before, 2]);
    bars.mark(Dirty.overlay);
    passFrames(1);
    expect([asked, bars.calls.at(-1)]).toEqual([before + 1, Dirty.overlay]);
    passFrames(10);
    expect([asked, bars.calls.at(-1)]).toEqual([before + 2, Dirty.data]);
  });

  test("a round waits neither for another record nor for what people do", () => {
    const loop = new FrameLoop();
    const slow = painter(loop, "slow", 30);
    const bars = painter(loop, "bars", 30);
    passFrames(2);
    slow.mark(Dirty.data);
    bars.mark(Dirty.camera | Dirty.more);
    passFrames(1);
    expect(slow.calls.at(-1)).toBe(Dirty.data);
    expect(bars.calls.at(-1)! & Dirty.camera).toBe(Dirty.camera);
  });

  test("another record goes over as many frames as it needs, those left over first, and a new size is drawn at once", () => {
    const loop = new FrameLoop();
    const painters = ["bars", "lanes", "curves"].map((name) => painter(loop, name, 20));
    const told = () => painters.map(({ calls }) => calls.length);
    passFrames(1);
    expect(told()).toEqual([1, 1, 0]);
    passFrames(1);
    expect(told()).toEqual([1, 1, 1]);
    loop.markAll(Dirty.data);
    passFrames(1);
    expect(told()).toEqual([2, 2, 1]);
    painters[0]?.mark(Dirty.data);
    passFrames(1);
    expect(told(), "the one that waited comes first").toEqual([3, 2, 2]);
    loop.markAll(Dirty.data | Dirty.size);
    passFrames(1);
    expect(told()).toEqual([4, 3, 3]);
    loop.markAll(Dirty.camera | Dirty.data);
    passFrames(1);
    expect(told(), "what people do does not wait").toEqual([5, 4, 4]);
    loop.markAll(Dirty.data);
    loop.flush();
    expect(told()).toEqual([6, 5, 5]);
  });

  test("tells what each painter cost", () => {
    const loop = new FrameLoop();
    painter(loop, "bars", 4);
    painter(loop, "lanes", 2);
    passFrames(1);
    expect(loop.log().painters).toEqual({
      bars: { paints: 1, sumMs: 4, maxMs: 4 },
      lanes: { paints: 1, sumMs: 2, maxMs: 2 },
    });
  });
});
