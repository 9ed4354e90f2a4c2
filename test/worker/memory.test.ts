// What a log of many jobs costs in bytes of columns, by owner. Counted, after a collection, so that nothing that is still held by a closure is missed.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { syntheticLog } from "../../bench/page/syntheticLog.ts";
import { readSwf } from "../../src/formats/swf.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { joinStage } from "../../src/store/stageParts.ts";
import { Demand } from "../../src/timeline/demand.ts";
import { RowIndex } from "../../src/timeline/rowIndex.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { WorldEngine } from "../../src/worker/engine.ts";
import { stageOf } from "../../src/worker/stage.ts";
import { Expander } from "../../src/workload/expander.ts";
import { suggestScenario } from "../../src/workload/suggest.ts";

const JOBS = 320_000;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes a job that are held more than before, after `make`; and what it made, which holds them. */
async function held<T>(make: () => T): Promise<{ made: T; bytesAJob: number }> {
  const before = await bytesNow();
  const made = make();
  return { made, bytesAJob: ((await bytesNow()) - before) / JOBS };
}

/** After a turn, so that nothing on the stack holds anything. */
async function bytesNow(): Promise<number> {
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  return process.memoryUsage().arrayBuffers;
}

function must<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

test("a log of many jobs takes less than 360 bytes a job in worker and page together, and nothing that made it is held any more", async () => {
  const file = new TextEncoder().encode(syntheticLog(JOBS, 1_024));
  const trace = await held(() => must(readSwf(file, "log.swf")).workload);
  const identity = { name: "log.swf", sha256: "0".repeat(64), bytes: file.length };
  const { scenario } = suggestScenario(identity, trace.made);
  const expander = new Expander();
  const world = await held(() => must(expander.expand(scenario, trace.made, false)));
  const stage = await held(() => joinStage(stageOf(world.made, 1, []), null));
  const chunks: Chunk[] = [];
  const run = await held(() => {
    const engine = new WorldEngine(world.made);
    for (let more = true; more; ) {
      more = engine.advance(20_000);
      for (let taken = engine.takeChunk(!more); taken; taken = engine.takeChunk(!more))
        chunks.push(taken.chunk);
    }
    return engine;
  });
  const demand = await held(() => {
    const made = new Demand();
    made.update(chunks);
    return made;
  });
  const index = await held(() => {
    const made = new RowIndex(rowUnitsOf(stage.made.cluster));
    made.update(chunks, null);
    made.finish();
    return made;
  });
  // Of the log's 42 bytes the world shares 18; a job's columns are 84 where no two say the same.
  expect(trace.bytesAJob).toBeLessThan(43);
  expect(world.bytesAJob).toBeLessThan(40);
  expect(stage.bytesAJob).toBeLessThan(62);
  // The record (what is held and waited for as parts of devices), what each run held for schedulers to come, and the engine's columns by job.
  expect(run.bytesAJob).toBeLessThan(192);
  expect(demand.bytesAJob).toBeLessThan(1);
  expect(index.bytesAJob).toBeLessThan(32);
  // Bytes a job are megabytes at a million: page and worker together may take 400.
  const all = [trace, world, stage, run, demand, index];
  expect(all.reduce((sum, { bytesAJob }) => sum + bytesAJob, 0)).toBeLessThan(360);
  expect(index.made.entryCount).toBeGreaterThan(JOBS);
  expect(demand.made.waitsAt(0)).toBe(false);
  expect(run.made.jobsDone).toBe(JOBS);
});
