/**
 * Runs a world to its end and draws what happened: one row a device, one column a second (or `unitMs`), the first letter of
 * the job's name where it runs, lower case where it holds without progress, `.` where the device is idle.
 */

import type { Presets } from "../../src/engine/pool.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { nameOf } from "../../src/model/jobs.ts";
import { WAIT_REASONS } from "../../src/model/reasons.ts";
import { END_STATES, MemberStateCode } from "../../src/model/states.ts";
import type { World } from "../../src/model/world.ts";
import {
  type Chunk,
  DecisionKindCode,
  memberStateOf,
  type OpenSet,
} from "../../src/record/shapes.ts";

export interface Outcome {
  readonly world: World;
  readonly simulation: Simulation;
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet;
}

/** Runs to the end (or to `untilMs`) in one slice with all checks on; one chunk unless `eventsPerChunk` is given. */
export function runWorld(
  world: World,
  presets: Presets,
  untilMs = Number.POSITIVE_INFINITY,
  eventsPerChunk = 0,
): Outcome {
  const simulation = new Simulation(world, presets, { checks: true });
  const chunks: Chunk[] = [];
  const maxEvents = eventsPerChunk > 0 ? eventsPerChunk : Number.POSITIVE_INFINITY;
  for (;;) {
    const state = simulation.advance({ untilMs, maxEvents });
    const stopped = state === "done" || maxEvents === Number.POSITIVE_INFINITY;
    chunks.push(simulation.takeChunk());
    if (stopped) break;
  }
  return { world, simulation, chunks, open: simulation.openSet() };
}

export function draw(outcome: Outcome, unitMs = 1_000): string {
  const { world, chunks, open } = outcome;
  const rects = [...chunks.map((chunk) => chunk.rects), open.rects];
  let columns = 0;
  for (const part of rects) {
    for (let i = 0; i < part.jobIdx.length; i++) {
      columns = Math.max(columns, Math.ceil(Math.min(part.endMs[i]!, open.atMs) / unitMs));
    }
  }
  const grid = Array.from({ length: world.cluster.deviceCount }, () =>
    new Array<string>(columns).fill("."),
  );
  for (const part of rects) {
    for (let i = 0; i < part.jobIdx.length; i++) {
      const letter = nameOf(world.jobs.names, part.jobIdx[i]!)[0]!;
      const mark =
        memberStateOf(part.bits[i]!) === MemberStateCode.running ? letter : letter.toLowerCase();
      const end = Math.ceil(Math.min(part.endMs[i]!, open.atMs) / unitMs);
      for (let d = part.device[i]!; d < part.device[i]! + part.deviceCount[i]!; d++) {
        for (let x = Math.floor(part.startMs[i]! / unitMs); x < end; x++) {
          const shared = grid[d]![x] !== "." && grid[d]![x] !== mark;
          grid[d]![x] = shared ? "+" : mark;
        }
      }
    }
  }
  return grid.map((row, device) => `${deviceName(world, device)} ${row.join("")}`).join("\n");
}

function deviceName(world: World, device: number): string {
  if (world.cluster.nodeCount === 1) return `gpu${device}`;
  const perNode = world.cluster.deviceBase[1]!;
  return `n${Math.floor(device / perNode)}g${device % perNode}`;
}

/** One line a run, in order of closing: `A#1 0-10s x3 completed`. */
export function runLines(outcome: Outcome): string[] {
  return outcome.chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, i) => {
      const name = nameOf(outcome.world.jobs.names, jobIdx);
      const times = `${runs.startMs[i]! / 1_000}-${runs.endMs[i]! / 1_000}s`;
      return `${name}#${runs.run[i]} ${times} x${runs.devices[i]} ${END_STATES[runs.endState[i]!]}`;
    }),
  );
}

/** One line for each recorded reason of waiting: `2s B resources`. */
export function waitReasonLines(outcome: Outcome): string[] {
  return outcome.chunks.flatMap(({ decisions }) =>
    Array.from(decisions.jobIdx, (jobIdx, i) => ({ jobIdx, i }))
      .filter(({ i }) => decisions.kind[i] === DecisionKindCode.wait)
      .map(({ jobIdx, i }) => {
        const name = nameOf(outcome.world.jobs.names, jobIdx);
        return `${decisions.atMs[i]! / 1_000}s ${name} ${WAIT_REASONS[decisions.reason[i]!]}`;
      }),
  );
}

/** Text with the indentation of its first line taken from all lines. */
export function dedent(strings: TemplateStringsArray): string {
  const lines = strings.join("").split("\n");
  while (lines.length > 0 && lines[0]!.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
  const indent = /^\s*/.exec(lines[0] ?? "")![0].length;
  return lines.map((line) => line.slice(indent)).join("\n");
}
