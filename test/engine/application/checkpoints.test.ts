import { describe, expect, test } from "vitest";
import { GaugeCode } from "../../../src/model/lab/gauges.ts";
import { type Outcome, runWorld } from "../../support/draw.ts";
import { type Step, scripted, testPresets } from "../../support/testScheduler.ts";
import { ends, log, SAVES, stretches, worldOfLives } from "./lives.ts";

const run = (...args: Parameters<typeof worldOfLives>): Outcome =>
  runWorld(worldOfLives(...args), testPresets);

describe("a job that saves its work", () => {
  test("pauses for the cost of each checkpoint, counted in run time from the end of the last", () => {
    const outcome = run("2 gpus\n0s A x2 10s", {
      A: { checkpoint: { ...SAVES, everyMs: 4_000, costMs: 1_000 } },
    });
    expect(stretches(outcome, "A")).toEqual([
      "0-4s running x2",
      "4-5s checkpointing x2",
      "5-9s running x2",
      "9-10s checkpointing x2",
      "10-12s running x2",
    ]);
    expect(log(outcome, "saved")).toEqual(["5s A saved", "10s A saved"]);
  });

  test("starts up before each run, reads its state back and loses what it did since the last checkpoint", () => {
    const outcome = run("2 nodes x 1 gpus\n0s A x1 10s\n8s ! fail 0", {
      A: { startupMs: 1_000, checkpoint: { ...SAVES, everyMs: 4_000, restoreMs: 2_000 } },
    });
    expect(stretches(outcome, "A")).toEqual([
      "0-1s starting x1",
      "1-5s running x1",
      "5-8s running x1",
      "8-9s starting x1",
      "9-11s restoring x1",
      "11-15s running x1",
      "15-17s running x1",
    ]);
    expect(log(outcome, "saved")).toEqual(["5s A saved", "15s A saved"]);
  });

  test("can be resumed only by the nodes on which its state lies, and loses it with one of them", () => {
    const life = { A: { checkpoint: { ...SAVES, everyMs: 4_000, location: "node" as const } } };
    const evict: Step = (_, act) => act.evict(0, "requeue", 0, -1);
    const text = "2 nodes x 1 gpus\n0s A x1 10s";
    const back = runWorld(worldOfLives(text, life), () => scripted({ 6000: evict }));
    expect(ends(back).at(-1)).toBe("A 6-12s completed workDone");
    const elsewhere = runWorld(worldOfLives(`${text}\n5s ! drain 0`, life), () =>
      scripted({ 6000: evict }),
    );
    expect(ends(elsewhere).at(-1)).toBe("A 6-16s completed workDone");
    expect(log(elsewhere, "unsaved")).toEqual(["6s A unsaved"]);
    // One of its two nodes is not enough: part of the state is missing.
    const half = runWorld(worldOfLives("3 nodes x 1 gpus\n0s A x2 10s\n5s ! drain 0", life), () =>
      scripted({ 6000: evict }),
    );
    expect(ends(half).at(-1)).toBe("A 6-16s completed workDone");
    const failed = run(`${text}\n6s ! fail 0`, life);
    expect(ends(failed).at(-1)).toBe("A 6-16s completed workDone");
  });
});

describe("a filesystem that all share", () => {
  // 1 GB/s; 10^9 bytes a GiB-fraction: each state takes 4 s alone.
  const checkpoint = { ...SAVES, everyMs: 4_000, sizeGiB: 4e9 / 2 ** 30 };
  const storage = { writeGBps: 1, readGBps: 1 };

  test("makes simultaneous checkpoints slow each other", () => {
    const outcome = run(
      "2 gpus\n0s A x1 6s\n2s B x1 6s",
      { A: { checkpoint }, B: { checkpoint } },
      { storage },
    );
    // Alone from 4 s to 6 s (2 of 4 s done), then each at half speed: A is done at 10 s, B has 2 s left alone.
    expect(stretches(outcome, "A")).toEqual([
      "0-4s running x1",
      "4-10s checkpointing x1",
      "10-12s running x1",
    ]);
    expect(stretches(outcome, "B")).toEqual([
      "2-6s running x1",
      "6-12s checkpointing x1",
      "12-14s running x1",
    ]);
    const writers = outcome.chunks.flatMap(({ gauges }) =>
      Array.from(gauges.atMs, (atMs, i) => ({ atMs, i }))
        .filter(({ i }) => gauges.kind[i] === GaugeCode.writers)
        .map(({ atMs, i }) => `${atMs / 1_000}s ${gauges.value[i]}`),
    );
    expect(writers).toEqual(["4s 1", "6s 2", "10s 1", "12s 0"]);
  });

  test("is read in turn by those that restart together", () => {
    const outcome = run(
      "2 nodes x 2 gpus\n0s A x1 12s\n0s B x1 12s\n13s ! fail 0",
      { A: { checkpoint }, B: { checkpoint } },
      { storage },
    );
    // Both save from 4 s to 12 s at half speed, fail at 13 s and read for 8 s.
    expect(stretches(outcome, "A")).toContain("13-21s restoring x1");
    expect(stretches(outcome, "B")).toContain("13-21s restoring x1");
  });

  test("gives the bandwidth of a writer that is stopped to the others", () => {
    const outcome = runWorld(
      worldOfLives(
        "2 gpus\n0s A x1 8s\n0s B x1 8s",
        { A: { checkpoint }, B: { checkpoint } },
        { storage },
      ),
      () => scripted({ 6000: (_, act) => act.evict(0, "cancel", 0, -1) }),
    );
    // From 4 to 6 s at half speed: 1 of 4 s done; alone after that.
    expect(stretches(outcome, "B")).toContain("4-9s checkpointing x1");
  });
});

describe("a job that saves when it is told to stop", () => {
  const life = (costMs: number, more = {}) => ({
    A: { checkpoint: { ...SAVES, costMs, onSignal: true }, ...more },
  });
  const evict = (graceMs: number): Record<number, Step> => ({
    3000: (_, act) => act.evict(0, "requeue", graceMs, -1),
  });

  test("ends as soon as its state is saved, within the grace", () => {
    const outcome = runWorld(worldOfLives("1 gpus\n0s A x1 5s", life(1_000)), () =>
      scripted(evict(4_000)),
    );
    expect(stretches(outcome, "A")).toEqual([
      "0-3s running x1",
      "3-4s checkpointing x1",
      "4-6s running x1",
    ]);
    expect(log(outcome, "saved")).toEqual(["4s A saved"]);
  });

  test("saves nothing where the grace is too short", () => {
    const outcome = runWorld(worldOfLives("1 gpus\n0s A x1 5s", life(3_000)), () =>
      scripted(evict(2_000)),
    );
    expect(ends(outcome)).toEqual(["A 0-5s requeued preempted", "A 5-10s completed workDone"]);
  });

  test("is queued again at its limit with what it saved: work 400 min, limit 344 min, restart 4 min", () => {
    const minutes = (text: string, lives: Parameters<typeof worldOfLives>[1], horizonMs?: number) =>
      run(text, lives, horizonMs ? { horizonMs } : {});
    const text = "8 gpus\n0s A x8 24000s limit 20640s";
    const base = { ...SAVES, restoreMs: 240_000 };
    const again = { requeueAtLimit: true };
    const endOf = (outcome: Outcome) => ends(outcome).at(-1);
    const hourly = minutes(text, { A: { ...again, checkpoint: { ...base, everyMs: 3_600_000 } } });
    expect(endOf(hourly)).toBe(`A ${344 * 60}-${448 * 60}s completed workDone`);
    const onSignal = minutes(text, { A: { ...again, checkpoint: { ...base, onSignal: true } } });
    expect(endOf(onSignal)).toBe(`A ${344 * 60}-${404 * 60}s completed workDone`);
    const never = minutes(text, { A: { ...again, checkpoint: base } }, 100_000_000);
    expect(ends(never)).toEqual([`A 0-${344 * 60}s timeout fruitless`]);
  });

  test("gives up at once where start-up and reading back leave no run the time to save, and not where they do", () => {
    const lasts = (more: object) =>
      ends(
        run("1 gpus\n0s A x1 20s limit 6s", {
          A: {
            requeueAtLimit: true,
            startupMs: 1_000,
            checkpoint: { ...SAVES, everyMs: 3_000, costMs: 1_000, ...more },
          },
        }),
      );
    // 1 s of start-up and 1 s to read back leave 4 s: 3 s of work and 1 s to save it.
    expect(lasts({ restoreMs: 1_000 }).at(-1)).toBe("A 36-40s completed workDone");
    // With 2 s to read back they leave 3 s: the first run has saved 3 s, no other can save more.
    expect(lasts({ restoreMs: 2_000 })).toEqual([
      "A 0-6s timeout timeLimit",
      "A 6-12s timeout fruitless",
    ]);
    // Told early enough it saves what it has done: 2 s in 2 s of work.
    expect(lasts({ restoreMs: 2_000, onSignal: true }).at(-1)).toContain("completed");
    expect(lasts({ restoreMs: 4_000, onSignal: true }).at(-1)).toBe("A 6-12s timeout fruitless");
  });

  test("begins the last checkpoint so early that it is complete at the limit", () => {
    const outcome = run("1 gpus\n0s A x1 10s limit 6s", life(2_000, { requeueAtLimit: true }));
    expect(stretches(outcome, "A")).toEqual([
      "0-4s running x1",
      "4-6s checkpointing x1",
      "6-10s running x1",
      "10-12s checkpointing x1",
      "12-14s running x1",
    ]);
  });
});
