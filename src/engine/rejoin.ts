/**
 * A run that was left by a change, and how the run after the change joins it again. Once everything to come is the same (`sameFuture.ts`, asked where the former run has
 * a snapshot), the rest of the former record is the rest of this one's, chunk by chunk, and its later snapshots are ours but for what counts the past: events, jobs
 * done, runs that closed, the digest. The digest goes on over the rows that the former run wrote.
 */
import type { World } from "../model/world.ts";
import type { RunDigest } from "../record/digest.ts";
import { PastRuns } from "./pastRuns.ts";
import type { Presets } from "./pool.ts";
import type { Run } from "./run.ts";
import { sameButForChanges, sameFuture } from "./sameFuture.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Shelved } from "./snapshotShelf.ts";

/** A complete run with its record's bounds. */
export interface Line {
  readonly world: World;
  /** What the owner calls it. */
  readonly tag: number;
  readonly run: Run;
  readonly shelf: readonly Shelved[];
  readonly chunkCount: number;
  /** Rows of the digest, by chunk. */
  readonly digestRows: readonly Uint8Array[];
}

/** Where a run joins a former one: behind so many chunks of its record. */
export interface Joint {
  readonly line: Line;
  readonly at: Shelved;
  readonly now: Snapshot;
}

/** The snapshots of a former run that a run after a change will pass. */
export class Meetings {
  readonly #line: Line;
  readonly #ahead: Shelved[];
  readonly #presets: Presets;
  readonly #comparable: boolean;

  /** Those from `fromMs` on. O(1), O(jobs) where jobs were injected. */
  constructor(line: Line, world: World, fromMs: number, presets: Presets) {
    this.#line = line;
    this.#presets = presets;
    this.#comparable = sameButForChanges(line.world, world);
    this.#ahead = this.#comparable
      ? line.shelf.filter(({ snapshot }) => snapshot.atMs >= fromMs)
      : [];
  }

  /** Time of the next one; `Infinity` when there is none. */
  get nextMs(): number {
    return this.#ahead[0]?.snapshot.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** The run has done everything up to the time of the next one: whether it joins there. O(what lives). */
  meet(run: Run): Joint | null {
    const at = this.#ahead.shift();
    if (at === undefined || run.done || run.clock.nowMs !== at.snapshot.atMs) return null;
    if (at.snapshot.live.at.jobIdx.length - at.snapshot.live.free.length !== run.live.count)
      return null;
    const now = run.snapshot();
    const line = this.#line;
    return sameFuture(line.world, at.snapshot, run.world, now, this.#presets)
      ? { line, at, now }
      : null;
  }
}

/** The former run's snapshots behind a joint as those of this run, and its end. */
export interface Joined {
  /** `chunks`: of the former record. */
  readonly later: readonly Shelved[];
  readonly end: Snapshot;
}

/** O(runs and snapshots behind the joint). */
export function joinedAt({ line, at, now }: Joint): Joined {
  const digest = now.digest.copy();
  const past = pastAfter(line.run, at.snapshot, now);
  let chunk = at.chunks;
  const asOurs = (snapshot: Snapshot, chunks: number): Snapshot => {
    for (; chunk < chunks; chunk++) digest.rows(line.digestRows[chunk]!);
    return shifted(snapshot, at.snapshot, now, digest.copy(), past.upTo(snapshot));
  };
  const later: Shelved[] = [];
  for (const { snapshot, chunks } of line.shelf)
    if (chunks > at.chunks) later.push({ snapshot: asOurs(snapshot, chunks), chunks });
  return { later, end: asOurs(line.run.snapshot(), line.chunkCount) };
}

function shifted(
  snapshot: Snapshot,
  from: Snapshot,
  to: Snapshot,
  digest: RunDigest,
  past: Snapshot["past"],
): Snapshot {
  return {
    ...snapshot,
    eventCount: snapshot.eventCount + to.eventCount - from.eventCount,
    passCount: snapshot.passCount + to.passCount - from.passCount,
    jobsDone: snapshot.jobsDone + to.jobsDone - from.jobsDone,
    refused: snapshot.refused.map((count, i) => count + to.refused[i]! - from.refused[i]!),
    arrivals: {
      main: snapshot.arrivals.main,
      injected: snapshot.arrivals.injected + to.arrivals.injected - from.arrivals.injected,
    },
    nextChange: snapshot.nextChange + to.nextChange - from.nextChange,
    past,
    digest,
  };
}

/** What closed in this run up to the joint, and behind it what closed in the former one. */
function pastAfter(run: Run, from: Snapshot, to: Snapshot) {
  const past = new PastRuns();
  past.restore(to.past);
  const rest = run.lifecycle.rows.past.after(PastRuns.countOf(from.past));
  let taken = PastRuns.countOf(from.past);
  return {
    upTo(snapshot: Snapshot): Snapshot["past"] {
      for (const count = PastRuns.countOf(snapshot.past); taken < count; taken++)
        past.add(rest[taken - PastRuns.countOf(from.past)]!);
      return past.copy();
    },
  };
}
