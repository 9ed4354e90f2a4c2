/** Device time of random documents of the lab, taken apart: the parts add up to what was held, as whole numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { DeviceTime } from "../../src/metrics/deviceTime.ts";
import { makePerJob } from "../../src/metrics/perJob.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { labScenarioInput } from "../scenario/labScenarios.ts";

/** Devices × time of all rectangles, where every job holds whole devices; counted without looking at states, runs or decisions. */
function heldMs(rects: Chunk["rects"], atMs: number): number {
  let sum = 0;
  for (let row = 0; row < rects.jobIdx.length; row++)
    sum += (Math.min(rects.endMs[row]!, atMs) - rects.startMs[row]!) * rects.deviceCount[row]!;
  return sum;
}

/** Jobs that work at the reference speed wherever they are. */
function isPlain({ jobs, network }: World, job: number): boolean {
  const life = jobs.lab.get(job);
  if ((jobs.at.flags[job]! & JobFlag.service) !== 0) return false;
  if (life === undefined) return true;
  const { elastic, session, traffic, nodes } = life;
  return (
    elastic === null &&
    session === null &&
    (traffic === null || !network) &&
    (nodes === null || (nodes.models.length === 0 && nodes.remoteNumaQ16 === SPEED_ONE))
  );
}

test("what is held is useful, lost, unfinished, overhead or without progress, and nobody works more than was asked", () => {
  let compared = 0;
  let judged = 0;
  fc.assert(
    fc.property(labScenarioInput, (input) => {
      const scenario = readScenario(input);
      if (!scenario.ok) return;
      const chunks: Chunk[] = [];
      const { world, open, metrics } = simulate(scenario.value, undefined, {
        checks: false,
        onChunk: (chunk) => chunks.push(chunk),
      });
      const per = makePerJob(world.jobs.count);
      const time = new DeviceTime(world.jobs, per);
      for (const chunk of chunks) time.add(chunk);
      time.addRects(open.rects, 0, open.rects.jobIdx.length, open.atMs);
      const { unfinished, overhead, withoutProgress } = time.finish();
      const parts = [time.useful, time.lostWork, unfinished, overhead, withoutProgress];
      for (const part of [...parts, time.lost]) {
        expect(Number.isSafeInteger(part)).toBe(true);
        expect(part).toBeGreaterThanOrEqual(0);
      }
      const sum = parts.reduce((all, each) => all + each, 0);
      expect(per.held.reduce((all, each) => all + each, 0)).toBe(sum);
      if (time.unit === 1) {
        const held = chunks.reduce((all, { rects }) => all + heldMs(rects, open.atMs), 0);
        expect(sum).toBe(held + heldMs(open.rects, open.atMs));
        compared++;
      }
      expect(metrics.gpuHours.lost).toBeGreaterThanOrEqual(metrics.gpuHours.lostWork * (1 - 1e-12));
      for (let job = 0; job < world.jobs.count; job++) {
        if (!isPlain(world, job) || per.usefulOfJob[job] === 0) continue;
        const askedMs = Math.ceil(world.jobs.at.workQ16[job]! / SPEED_ONE);
        expect(per.usefulOfJob[job]! / time.unit).toBeLessThanOrEqual(
          world.jobs.at.gpuTotal[job]! * askedMs,
        );
        judged++;
      }
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(5);
  expect(judged).toBeGreaterThan(20);
}, 240_000);
