/**
 * Job logs for measuring: seeded, of any length, at a chosen load. Sizes are powers of two with a tail, run times log-uniform from a
 * minute to half a day, limits above them: enough like a real log to fill queues, and the same on every machine.
 */
import { allocate } from "../../src/base/columns.ts";
import { SECOND_MS } from "../../src/model/units.ts";
import { PARSED_JOB_SHAPE, type ParsedWorkload } from "../../src/workload/parsed.ts";

export interface WorkloadShape {
  readonly jobs: number;
  /** Devices of the machine, and the largest job. */
  readonly devices: number;
  readonly largest: number;
  /** Offered device time ÷ the machine's. */
  readonly load: number;
  readonly seed: number;
  /** Users who submit in turn, as dice of their own have it; 1 where nothing is said. */
  readonly users?: number;
}

/** A small generator of its own (mulberry32), so that the bench measures the engine and not the dice. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeWorkload(shape: WorkloadShape): ParsedWorkload {
  const roll = dice(shape.seed);
  const at = allocate(PARSED_JOB_SHAPE, shape.jobs);
  const powers = Math.floor(Math.log2(shape.largest));
  let deviceMs = 0;
  for (let job = 0; job < shape.jobs; job++) {
    // Half of the jobs ask for one device; the others fall off with size.
    const power = roll() < 0.5 ? 0 : Math.floor(roll() * roll() * (powers + 1));
    const devices = Math.min(shape.largest, 2 ** power);
    const runMs = Math.round(60 * 720 ** roll()) * SECOND_MS;
    at.devices[job] = devices;
    at.runMs[job] = runMs;
    at.limitMs[job] = Math.ceil((runMs * (1 + 3 * roll())) / 60_000) * 60_000;
    deviceMs += devices * runMs;
  }
  const users = shape.users ?? 1;
  const rollUser = dice(shape.seed + 1);
  for (let job = 0; job < shape.jobs; job++) at.user[job] = Math.floor(rollUser() * users);
  const spanMs = deviceMs / shape.devices / shape.load;
  let nowMs = 0;
  for (let job = 0; job < shape.jobs; job++) {
    nowMs += (-Math.log(1 - roll()) * spanMs) / shape.jobs;
    at.submitMs[job] = Math.round(nowMs / SECOND_MS) * SECOND_MS;
  }
  return {
    format: "swf",
    count: shape.jobs,
    at,
    ids: {
      numbers: Float64Array.from({ length: shape.jobs }, (_, job) => job + 1),
      texts: new Map(),
    },
    users: Array.from({ length: users }, (_, user) => (user === 0 ? "" : `u${user}`)),
    queues: [""],
    skipped: {},
    noted: {},
    warnings: [],
    machine: { flat: true },
    originUnixSec: null,
    firstSubmitMs: at.submitMs[0] ?? 0,
  };
}
