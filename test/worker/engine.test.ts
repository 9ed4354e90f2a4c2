// Where a run is cut after a change, and how much of it is run again.
import { expect, test } from "vitest";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { WorldEngine } from "../../src/worker/engine.ts";
import { documentWorld } from "../support/documentWorld.ts";

const DAY_MS = 86_400_000;
const EDIT_MS = 2 * DAY_MS;

function world(atMs: number | null): World {
  const month = libraryScenario("month-128")!;
  const drain = { kind: "drain", atMs, nodes: ["h100-004"] };
  return documentWorld({
    ...month,
    horizonMs: 4 * DAY_MS,
    interventions: atMs === null ? [] : [drain],
  });
}

/** `former`: the record of the run before, which the run may join. */
function runOn(
  engine: WorldEngine,
  former: readonly Chunk[] = [],
): { chunks: Chunk[]; advanced: number } {
  const chunks: Chunk[] = [];
  const from = engine.events;
  for (let more = true; more; ) {
    more = engine.advance(100);
    for (let taken = engine.takeChunk(!more); taken; taken = engine.takeChunk(!more))
      chunks.push(taken.chunk);
  }
  const advanced = engine.events - from;
  const joint = engine.join();
  if (joint) chunks.push(...former.slice(joint.fromChunk));
  return { chunks, advanced };
}

test("the first chunk after a change ends right before it, the next ones are short and grow, and the digest is that of a run in one go", () => {
  const engine = new WorldEngine(world(null));
  const whole = runOn(engine);
  engine.rewind(world(EDIT_MS), EDIT_MS);
  const { chunks } = runOn(engine);
  const [past, first, second] = chunks;
  expect(past!.toMs).toBeLessThan(EDIT_MS);
  expect(first!.fromMs).toBe(past!.toMs);
  const rows = (chunk: Chunk) => chunk.runs.jobIdx.length;
  expect(rows(first!)).toBeLessThan(rows(whole.chunks[1]!));
  expect(rows(second!)).toBeGreaterThan(rows(first!));
  const afresh = new WorldEngine(world(EDIT_MS));
  runOn(afresh);
  expect(engine.digest()).toBe(afresh.digest());
});

test("a second change at the same place runs nothing of the past again", () => {
  const engine = new WorldEngine(world(null));
  runOn(engine);
  engine.rewind(world(EDIT_MS), EDIT_MS);
  const first = runOn(engine);
  const kept = engine.rewind(world(null), EDIT_MS);
  const nowMs = engine.nowMs;
  const second = runOn(engine);
  expect(nowMs).toBe(first.chunks[0]!.toMs);
  expect(second.chunks[0]!.fromMs).toBe(nowMs);
  expect(kept).toBeGreaterThan(0);
  expect(second.advanced).toBeLessThan(first.advanced);
});

test("a change before anything happened, and one after the end, are cut nowhere", () => {
  const engine = new WorldEngine(world(null));
  const whole = runOn(engine);
  const digest = engine.digest();
  for (const atMs of [0, 1, 400 * DAY_MS]) {
    engine.rewind(world(null), atMs);
    const { chunks } = runOn(engine, whole.chunks);
    expect(engine.digest()).toBe(digest);
    expect(chunks.at(-1)?.toMs ?? whole.chunks.at(-1)!.toMs).toBe(whole.chunks.at(-1)!.toMs);
  }
});

test("a change at a time that was prepared runs nothing of the past again, and its record is that of one that was not", () => {
  const rowsOf = (chunks: readonly Chunk[]) =>
    chunks.reduce((sum, { runs }) => sum + runs.jobIdx.length, 0);
  const plain = new WorldEngine(world(null));
  runOn(plain);
  const keptPlain = plain.rewind(world(EDIT_MS), EDIT_MS);
  const without = runOn(plain);
  for (const [preparedMs, helps] of [
    [EDIT_MS, true],
    [EDIT_MS - 600_000, true],
    [EDIT_MS + 600_000, false],
  ] as const) {
    const engine = new WorldEngine(world(null));
    runOn(engine);
    const { events } = engine;
    while (engine.prepare(preparedMs, 50));
    expect(engine.events, "the run is left as it is").toBe(events);
    const kept = engine.rewind(world(EDIT_MS), EDIT_MS);
    const startMs = engine.nowMs;
    const { chunks, advanced } = runOn(engine);
    expect(engine.digest()).toBe(plain.digest());
    expect(kept).toBe(keptPlain);
    expect(rowsOf(chunks)).toBe(rowsOf(without.chunks));
    expect(chunks[0]!.fromMs).toBe(without.chunks[0]!.fromMs);
    for (let i = 1; i < chunks.length; i++) expect(chunks[i]!.fromMs).toBe(chunks[i - 1]!.toMs);
    if (helps) {
      expect(chunks[0]!.toMs).toBe(startMs);
      expect(advanced).toBeLessThan(without.advanced);
    } else expect(advanced).toBe(without.advanced);
    const kept2 = engine.rewind(world(null), EDIT_MS);
    expect(kept2, "what was prepared is a snapshot from then on").toBeGreaterThan(kept);
    runOn(engine);
    const fresh = new WorldEngine(world(null));
    runOn(fresh);
    expect(engine.digest()).toBe(fresh.digest());
  }
});
