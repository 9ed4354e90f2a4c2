import { expect, test } from "vitest";
import { nameOf } from "../../src/model/jobs.ts";
import { freeOfBand, layBands } from "../../src/panels/queues/laneLayout.ts";
import { momentOf, momentWords } from "../../src/panels/queues/laneRoom.ts";
import { type Chunk, DecisionKindCode } from "../../src/record/shapes.ts";
import { packSteps, type WaitLanes } from "../../src/timeline/waitLanes.ts";
import { fixtureFuture, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const job = (submitMin: number, gpus: number, workMin: number) => ({
  submitMs: submitMin * MINUTE,
  gpus,
  workMs: workMin * MINUTE,
  limitMs: 200 * MINUTE,
  tier: 0,
  name: "vit",
});
/** 16 GPUs: 0 and 1 run at once; 2 waits from minute 30 to minute 60. */
const stage = fixtureStage(2, [job(0, 8, 60), job(10, 8, 60), job(30, 8, 20)]);
const future = fixtureFuture(stage, 2);
const tierOf = () => 0;
function packed(): WaitLanes {
  const steps = packSteps(future, { fromMs: 0, toMs: Number.MAX_VALUE }, 1, tierOf, 1_000);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
const lanes = packed();
const wordsAt = (minute: number, fits: (text: string) => boolean = () => true) => {
  const [moment] = momentOf(future, lanes, minute * MINUTE, 1, tierOf)!;
  return momentWords(moment!, stage, minute * MINUTE, undefined, fits).map((line) =>
    line.replaceAll("\u00a0", " "),
  );
};
const ids = [0, 1, 2].map((at) => nameOf(stage.jobs.ids, at));

test("where nobody waits the strip says who runs, that nobody waits and who is next", () => {
  const [running, waiting] = wordsAt(20);
  expect(running).toBe(`running: ${ids[0]} · 8, ${ids[1]} · 8`);
  expect(waiting).toMatch(/^nobody waits; the next to wait is .*, from .*30/);
});

test("where somebody waits only who runs, and after the last wait that nobody does any more", () => {
  expect(wordsAt(40)).toHaveLength(1);
  expect(wordsAt(65)[1]).toBe("nobody waits from here on");
  expect(wordsAt(500)[0]).toBe("none of its jobs runs");
});

test("names that have no room are counted", () => {
  expect(wordsAt(20, (text) => !text.includes(", "))[0]).toMatch(/ and 1 more$/);
  expect(wordsAt(20, () => false)[0]).toBe("running: 2");
});

test("one tier with one line leaves most of its band free", () => {
  const [band] = layBands(130, [1], true);
  const { topCss, heightCss } = freeOfBand(band!, 1);
  expect(heightCss).toBeGreaterThan(90);
  expect(topCss + heightCss).toBeLessThanOrEqual(130);
});

test("shares of a GPU and MIG slices are said as what they are, not as GPUs", () => {
  const shared = fixtureStage(2, [job(0, 3, 60), job(0, 2, 60)]);
  const { components } = shared.jobs;
  components.members.set([3, 2]);
  components.gpus.fill(1);
  components.shareMilli[0] = 250;
  components.mig[1] = 1;
  const jobs = { ...shared.jobs, migProfiles: ["1g.10gb"] };
  const moment = { running: [0, 1], held: new Map(), waits: true, nextIdx: -1, nextMs: 0 };
  const [running] = momentWords(moment, { ...shared, jobs }, 0, undefined, () => true);
  const [a, b] = [0, 1].map((at) => nameOf(jobs.ids, at));
  expect(running).toBe(`running: ${a} · 3 × 0.25, ${b} · 2 × 1g.10gb`);
});

test("a job that holds some of its devices while it waits for the rest is not said to run", () => {
  const row = [...lanes.jobIdx].indexOf(2);
  const toMs = Float64Array.from(lanes.toMs);
  toMs[row] = 70 * MINUTE;
  const [moment] = momentOf(future, { ...lanes, toMs }, 65 * MINUTE, 1, tierOf)!;
  expect(momentOf(future, lanes, 65 * MINUTE, 1, tierOf)![0]!.running).toContain(2);
  expect(moment!.running).not.toContain(2);
});

test("an elastic job runs with what it holds now", () => {
  const [chunk] = future.chunks;
  const decisions = { kind: [DecisionKindCode.resize], jobIdx: [0] };
  const resized = { ...chunk!, decisions } as unknown as Chunk;
  const source = { ...future, chunks: [resized, ...future.chunks.slice(1)] };
  const [moment] = momentOf(source, lanes, 20 * MINUTE, 1, tierOf)!;
  expect(moment!.held).toEqual(new Map([[0, 8]]));
  const held = new Map([[0, 6]]);
  const [running] = momentWords({ ...moment!, held }, stage, 20 * MINUTE, undefined, () => true);
  expect(running).toBe(`running: ${ids[0]} · 6, ${ids[1]} · 8`);
});
