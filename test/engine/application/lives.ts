/** Worlds in the text form of `support/world.ts` whose jobs have lives, and what happened to them in lines. */

import { nameOf } from "../../../src/model/jobs.ts";
import {
  type Checkpointing,
  type Elastic,
  type JobLife,
  PLAIN_LIFE,
} from "../../../src/model/lab/jobLife.ts";
import { STOP_REASONS } from "../../../src/model/reasons.ts";
import { END_STATES, MEMBER_STATES } from "../../../src/model/states.ts";
import { SPEED_ONE } from "../../../src/model/units.ts";
import type { World } from "../../../src/model/world.ts";
import { DECISION_KINDS, memberStateOf } from "../../../src/record/shapes.ts";
import type { Outcome } from "../../support/draw.ts";
import { type WorldSpec, worldFromText } from "../../support/world.ts";

export const SAVES: Checkpointing = {
  everyMs: Number.POSITIVE_INFINITY,
  costMs: 0,
  sizeGiB: 0,
  location: "shared",
  restoreMs: 0,
  onSignal: false,
};

/** Linear speed; the reference is `members` of the component. */
export function elastic(members: number, more: Partial<Elastic>): Elastic {
  const minMembers = more.minMembers ?? 1;
  const maxMembers = more.maxMembers ?? members;
  const allowed =
    more.allowed ??
    Array.from({ length: maxMembers - minMembers + 1 }, (_, place) => minMembers + place);
  return {
    minMembers,
    maxMembers,
    allowed,
    restart: "torchrun",
    rendezvousMs: 0,
    maxRestarts: 1_000_000,
    speedQ16: allowed.map((size) => Math.round((size * SPEED_ONE) / members)),
    ...more,
  };
}

/** The lives are given by the names of the jobs. */
export function worldOfLives(
  text: string,
  lives: Readonly<Record<string, Partial<JobLife>>>,
  more: Partial<WorldSpec> = {},
): World {
  const world = worldFromText(text, more);
  const lab = new Map<number, JobLife>();
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    const life = lives[nameOf(world.jobs.names, jobIdx)];
    if (life) lab.set(jobIdx, { ...PLAIN_LIFE, ...life });
  }
  return { ...world, jobs: { ...world.jobs, lab } };
}

/** `A 0-10s completed workDone`, runs in order of closing. */
export function ends(outcome: Outcome): string[] {
  return outcome.chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, i) => {
      const name = nameOf(outcome.world.jobs.names, jobIdx);
      const times = `${runs.startMs[i]! / 1_000}-${runs.endMs[i]! / 1_000}s`;
      return `${name} ${times} ${END_STATES[runs.endState[i]!]} ${STOP_REASONS[runs.stopReason[i]!]}`;
    }),
  );
}

/** What the devices of one job did: `0-4s running x2`; stretches of equal state and time on several nodes are added up. */
export function stretches(outcome: Outcome, name: string): string[] {
  const sums = new Map<string, { devices: number; startMs: number }>();
  for (const rects of [...outcome.chunks.map((chunk) => chunk.rects), outcome.open.rects])
    rects.jobIdx.forEach((jobIdx, i) => {
      if (nameOf(outcome.world.jobs.names, jobIdx) !== name) return;
      const state = MEMBER_STATES[memberStateOf(rects.bits[i]!)];
      const key = `${rects.startMs[i]! / 1_000}-${rects.endMs[i]! / 1_000}s ${state}`;
      const sum = sums.get(key) ?? { devices: 0, startMs: rects.startMs[i]! };
      sum.devices += rects.deviceCount[i]!;
      sums.set(key, sum);
    });
  return [...sums]
    .sort(([, a], [, b]) => a.startMs - b.startMs)
    .map(([key, { devices }]) => `${key} x${devices}`);
}

/** Decisions of some kinds: `5s A saved`. */
export function log(outcome: Outcome, ...kinds: string[]): string[] {
  return outcome.chunks.flatMap(({ decisions }) =>
    Array.from(decisions.jobIdx, (jobIdx, i) => ({ jobIdx, i }))
      .filter(({ i }) => kinds.includes(DECISION_KINDS[decisions.kind[i]!]!))
      .map(({ jobIdx, i }) => {
        const name = nameOf(outcome.world.jobs.names, jobIdx);
        return `${decisions.atMs[i]! / 1_000}s ${name} ${DECISION_KINDS[decisions.kind[i]!]}`;
      }),
  );
}
