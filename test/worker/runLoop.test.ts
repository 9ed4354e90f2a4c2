import { expect, test } from "vitest";
import type { DataMessage } from "../../src/protocol/messages.ts";
import type { Chunk, OpenSet } from "../../src/record/shapes.ts";
import type { RunEngine } from "../../src/worker/runLoop.ts";
import { RunLoop } from "../../src/worker/runLoop.ts";

/** A run of `events` events that completes a chunk every `per`. */
class CountingEngine implements RunEngine {
  nowMs = 0;
  events = 0;
  jobsDone = 0;
  jobs = 1;
  largestSlice = 0;
  failAt = Number.POSITIVE_INFINITY;
  #taken = 0;
  readonly endMs: number;
  readonly #per: number;
  constructor(events: number, per: number) {
    this.endMs = events;
    this.#per = per;
  }
  advance(events: number): boolean {
    this.events = Math.min(this.endMs, this.events + events);
    this.nowMs = this.events;
    if (this.events >= this.failAt) throw new Error("Invariant broken: a device was given twice");
    return this.events < this.endMs;
  }
  takeChunk(all: boolean): { chunk: Chunk; open: OpenSet } | null {
    const ready = this.events - this.#taken;
    if (ready === 0 || (!all && ready < this.#per)) return null;
    const fromMs = this.#taken;
    this.#taken += Math.min(ready, this.#per);
    return {
      chunk: { fromMs, toMs: this.#taken } as Chunk,
      open: { atMs: this.#taken } as OpenSet,
    };
  }
  digest(): string {
    return "d1";
  }
  refused(): Record<string, number> {
    return {};
  }
}

/** Runs tasks one by one, on a clock that goes on 1 ms at each look. */
function bench() {
  const sent: DataMessage[] = [];
  const tasks: (() => void)[] = [];
  let nowMs = 0;
  const loop = new RunLoop({
    send: (message) => sent.push(message),
    clock: () => nowMs++,
    breathe: (task) => tasks.push(task),
  });
  const chunks = () => sent.filter((message) => message.kind === "chunk");
  const settle = (limit = 10_000) => {
    let turns = 0;
    for (; turns < limit && tasks.length > 0; turns++) tasks.shift()!();
    return turns;
  };
  return { loop, sent, chunks, settle };
}

/** Runs tasks one by one, on a clock that only the engine moves; `slices` holds how long each turn took. */
function slowBench(costMs: (event: number) => number) {
  const sent: DataMessage[] = [];
  const tasks: (() => void)[] = [];
  const slices: number[] = [];
  let nowMs = 0;
  const engine = new CountingEngine(4_000, 100_000);
  const advance = engine.advance.bind(engine);
  engine.advance = (events) => {
    for (let event = engine.events; event < engine.events + events; event++) nowMs += costMs(event);
    return advance(events);
  };
  const loop = new RunLoop({
    send: (message) => sent.push(message),
    clock: () => nowMs,
    breathe: (task) => tasks.push(task),
  });
  const turn = () => {
    const fromMs = nowMs;
    tasks.shift()!();
    slices.push(nowMs - fromMs);
  };
  return { loop, engine, tasks, slices, turn };
}

test("a slice ends soon after its time also where single events are slow, without notice", () => {
  const { loop, engine, tasks, slices, turn } = slowBench((event) => (event < 2_000 ? 0.01 : 6));
  loop.start(engine, 1, 0);
  while (tasks.length > 0) turn();
  expect(engine.events).toBe(4_000);
  const cheap = slices.slice(0, 2);
  expect(Math.max(...cheap), "one slice is all that cheap events need").toBeGreaterThan(8);
  const longest = Math.max(...slices);
  expect(longest, "at most one look at the clock late").toBeLessThanOrEqual(8 + 8 * 6);
  expect(slices.filter((ms) => ms > 8 + 6).length, "and only once").toBeLessThanOrEqual(2);
});

test("at most two chunks are on their way, and the loop rests until one is taken in", () => {
  const { loop, chunks, settle } = bench();
  loop.start(new CountingEngine(100_000, 1_000), 1, 0);
  settle();
  expect(chunks()).toHaveLength(2);
  loop.acknowledge(1);
  settle();
  expect(chunks()).toHaveLength(3);
  loop.acknowledge(0);
  settle();
  expect(chunks(), "an acknowledgement of another generation gives no credit").toHaveLength(3);
});

test("chunks cover the run without a gap, and done comes last, once", () => {
  const { loop, sent, chunks, settle } = bench();
  loop.start(new CountingEngine(10_050, 1_000), 7, 3);
  for (let round = 0; round < 50; round++) {
    settle();
    loop.acknowledge(7);
  }
  const times = chunks().map((message) =>
    message.kind === "chunk" ? [message.chunk.fromMs, message.chunk.toMs] : [],
  );
  expect(times[0]![0]).toBe(0);
  for (let i = 1; i < times.length; i++) expect(times[i]![0]).toBe(times[i - 1]![1]);
  expect(times.at(-1)![1]).toBe(10_050);
  expect(chunks().map((message) => (message.kind === "chunk" ? message.index : -1))).toEqual(
    times.map((_, i) => i + 3),
  );
  expect(sent.filter((message) => message.kind === "done")).toHaveLength(1);
  expect(sent.at(-1)).toMatchObject({ kind: "done", generation: 7, digest: "d1", endMs: 10_050 });
});

test("a cancelled run hands over what it has, says so, and goes on where it stopped", () => {
  const { loop, sent, chunks, settle } = bench();
  loop.start(new CountingEngine(100_000, 1_000_000), 1, 0);
  settle(3);
  loop.cancel();
  settle();
  expect(chunks()).toHaveLength(1);
  expect(sent.at(-1)).toMatchObject({
    kind: "progress",
    progress: { cancelled: true, done: false },
  });
  const before = sent.length;
  settle();
  expect(sent.length, "nothing happens while cancelled").toBe(before);
  loop.resume();
  settle();
  expect(sent.at(-1)).toMatchObject({ kind: "done", endMs: 100_000 });
});

test("a broken invariant ends the run with its message and leaves the loop fit for the next document", () => {
  const { loop, sent, settle } = bench();
  const broken = new CountingEngine(10_000, 100);
  broken.failAt = 150;
  loop.start(broken, 1, 0);
  settle();
  expect(sent.at(-1)).toMatchObject({
    kind: "failed",
    generation: 1,
    message: "Invariant broken: a device was given twice",
  });
  loop.start(new CountingEngine(50, 1_000), 2, 0);
  settle();
  expect(sent.at(-1)).toMatchObject({ kind: "done", generation: 2 });
});

test("what both sides share is known once every chunk is taken in", async () => {
  const { loop, settle } = bench();
  loop.start(new CountingEngine(1_500, 1_000), 1, 0);
  settle();
  let known = false;
  const drained = loop.drained().then(() => {
    known = true;
  });
  loop.acknowledge(1);
  await Promise.resolve();
  expect(known).toBe(false);
  loop.acknowledge(1);
  await drained;
  expect(known).toBe(true);
});
