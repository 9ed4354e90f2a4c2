/** Who is admitted and finds no node is requeued as long as somebody runs whose end could help, and not for ever. */
import { expect, test } from "vitest";
import { EndStateCode } from "../../../src/model/states.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";
import { kueueIn, kueueWorld } from "./kueueDocs.ts";

const worldOf = (body: string) =>
  kueueWorld(
    kueueIn(
      `title\n\n\`\`\`kueue 2x4 podsReadyTimeoutMs=1000 requeueBaseMs=1000 requeueMostMs=1000\nqueue a 8\n-----\n${body.trim()}\n-----\n.\n\`\`\`\n`,
    )[0]!,
  );

test("a workload that was not ready 150 times starts when the node is free at last", () => {
  const world = worldOf(`
0 X 1*3 310s q=a
0 Y 1*3 300s q=a
1 A 1x2 4s q=a
`);
  const { chunk } = runAll(world);
  const [[startMs]] = runsOf(world, chunk, "A") as [[number, number]];
  expect(startMs).toBeGreaterThanOrEqual(300_000);
  expect(startMs).toBeLessThan(304_000);
  expect([...chunk.runs.endState]).toEqual([1, 1, 1].map(() => EndStateCode.completed));
});

test("one that no node will ever hold is given up once nobody runs", () => {
  const world = worldOf(`
0 X 1*3 310s q=a
1 A 1*5 4s q=a
`);
  const { simulation, chunk } = runAll(world);
  expect(runsOf(world, chunk, "A")).toEqual([]);
  expect(simulation.nowMs).toBeGreaterThanOrEqual(310_000);
  expect(simulation.nowMs).toBeLessThan(330_000);
});
