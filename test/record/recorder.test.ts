import { expect, test } from "vitest";
import { LIMITS } from "../../src/model/limits.ts";
import { DEVICE_PARTS } from "../../src/model/units.ts";
import { Recorder } from "../../src/record/recorder.ts";

test("a tier gets at most one step an instant, and none when its values are as before", () => {
  const recorder = new Recorder(2);
  recorder.waiting(0, 1, 8);
  recorder.waiting(0, -1, -8);
  recorder.held(0, 8 * DEVICE_PARTS);
  recorder.endInstant(1_000);
  recorder.held(1, DEVICE_PARTS / 2);
  recorder.held(1, -DEVICE_PARTS / 2);
  recorder.endInstant(2_000);
  const { series } = recorder.takeChunk(0, 2_000);
  expect([...series.atMs]).toEqual([1_000]);
  expect([
    series.tier[0],
    series.heldParts[0],
    series.jobsWaiting[0],
    series.waitedParts[0],
  ]).toEqual([0, 8 * DEVICE_PARTS, 0, 0]);
});

test("parts of devices are in the step series as they are, and a device in slices is a whole one", () => {
  const recorder = new Recorder(1);
  recorder.held(0, 1.75 * DEVICE_PARTS);
  recorder.endInstant(0);
  recorder.held(0, -1.75 * DEVICE_PARTS);
  for (let slice = 0; slice < 7; slice++) {
    recorder.held(0, DEVICE_PARTS / 7);
    recorder.endInstant(slice + 1);
  }
  const { series } = recorder.takeChunk(0, 7);
  const held = Array.from(series.heldParts, (parts) => parts / DEVICE_PARTS);
  expect(held).toEqual([1.75, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 5 / 7, 6 / 7, 1]);
});

test("a chunk is handed over once", () => {
  const recorder = new Recorder(1);
  recorder.rect(0, 5, 1, 0, 8, 0);
  expect(recorder.takeChunk(0, 5).rects.jobIdx.length).toBe(1);
  expect(recorder.takeChunk(5, 9).rects.jobIdx.length).toBe(0);
});

test("a run on every device of the largest cluster is recorded with all of them", () => {
  const recorder = new Recorder(1);
  recorder.run(0, 5, 0, 1, LIMITS.devices, 1, 0, 1);
  expect(recorder.takeChunk(0, 5).runs.devices[0]).toBe(LIMITS.devices);
});

test("a gauge of several pools is the sum of what they say, also after going back", () => {
  const recorder = new Recorder(1);
  recorder.gaugeOfPool(0, 2, 0, 7, 3);
  recorder.gaugeOfPool(1, 2, 0, 7, 2);
  recorder.endInstant(10);
  const known = recorder.copyGauges();
  recorder.gaugeOfPool(0, 2, 0, 7, 9);
  recorder.endInstant(20);
  recorder.restoreGauges(known);
  recorder.gaugeOfPool(1, 2, 0, 7, 4);
  recorder.endInstant(30);
  const { atMs, subject, value } = recorder.takeChunk(0, 30).gauges;
  expect([...atMs]).toEqual([10, 20, 30]);
  expect([...subject]).toEqual([7, 7, 7]);
  expect([...value]).toEqual([5, 11, 7]);
});
