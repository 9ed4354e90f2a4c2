/** Lanes against the plain way: at every start the job that was given is the one that a full sort by the rule puts first. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { runLines, runWorld } from "../../support/draw.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

interface Drawn {
  readonly atSec: number;
  readonly workSec: number;
  readonly user: number;
  readonly priority: number;
}

const HALF_LIFE_SEC = 30;

/** Whole milliseconds, or 24 binary digits where that is finer. */
const inDigits = (ms: number): number => (ms < 2 ** 24 ? Math.fround(ms) : Math.round(ms));

/** One device, least usage: who starts when, by sorting everybody at each start. */
function plainly(jobs: readonly Drawn[], halfLifeSec: number): string[] {
  const runs: { user: number; from: number; to: number }[] = [];
  const left = jobs.map((job, index) => ({ ...job, index }));
  const started: string[] = [];
  let now = 0;
  const usage = (user: number): number =>
    runs
      .filter((run) => run.user === user)
      .reduce((sum, { from, to }) => {
        if (halfLifeSec === 0) return sum + (to - from);
        const faded = (at: number): number => 2 ** ((at - now) / halfLifeSec);
        return sum + (halfLifeSec / Math.LN2) * (faded(to) - faded(from));
      }, 0);
  while (left.length > 0) {
    const waiting = left.filter((job) => job.atSec <= now);
    if (waiting.length === 0) {
      now = Math.min(...left.map((job) => job.atSec));
      continue;
    }
    waiting.sort(
      (a, b) =>
        b.priority - a.priority ||
        inDigits(usage(a.user) * 1_000) - inDigits(usage(b.user) * 1_000) ||
        a.atSec - b.atSec ||
        a.index - b.index,
    );
    const next = waiting[0]!;
    left.splice(left.indexOf(next), 1);
    started.push(`J${next.index}@${now}`);
    runs.push({ user: next.user, from: now, to: now + next.workSec });
    now += next.workSec;
  }
  return started;
}

test.each([0, HALF_LIFE_SEC])("with a half-life of %d s", (halfLifeSec) => {
  const job = fc.record({
    atSec: fc.integer({ min: 0, max: 40 }),
    workSec: fc.integer({ min: 1, max: 9 }),
    user: fc.integer({ min: 0, max: 3 }),
    priority: fc.integer({ min: 0, max: 1 }),
  });
  fc.assert(
    fc.property(fc.array(job, { minLength: 2, maxLength: 24 }), (drawn) => {
      const jobs = [...drawn].sort((a, b) => a.atSec - b.atSec);
      const text = jobs.map(
        ({ atSec, workSec, user, priority }, index) =>
          `${atSec}s J${index} x1 ${workSec}s user u${user} priority ${priority}`,
      );
      const settings = { order: "leastUsage", halfLifeMs: halfLifeSec * 1_000, backfill: "none" };
      const world = tenancyWorld(["1 gpus", ...text].join("\n"), { pools: [labPool(settings)] });
      const found = runLines(runWorld(world, schedulerOf))
        .map((line) => /^(\w+)#\d+ ([\d.]+)-/.exec(line)!)
        .sort((a, b) => Number(a[2]) - Number(b[2]))
        .map(([, name, start]) => `${name}@${Number(start)}`);
      expect(found).toEqual(plainly(jobs, halfLifeSec));
    }),
    { endOnFailure: true, numRuns: 80 },
  );
});
