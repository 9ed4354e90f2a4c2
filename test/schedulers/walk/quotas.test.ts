import { describe, expect, test } from "vitest";
import { WAIT_REASONS } from "../../../src/model/reasons.ts";
import { waitReasonLines } from "../../support/draw.ts";
import { jobNamed } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";
import { evictions, gauge, reasons, run, starts } from "./tenancy.ts";

describe("static partition", () => {
  const text = `8 gpus
    team red quota 4
    team blue quota 4
    0s A x4 10s team red
    0s B x2 5s team red
    0s C x2 10s team blue`;
  test("a team never uses more than its quota, whatever stands idle", () => {
    const outcome = run({ quota: "static" }, text);
    expect(starts(outcome)).toEqual({ A: 0, C: 0, B: 10 });
    expect(waitReasonLines(outcome)).toContain("0s B quota");
  });
  test("ignored, all three run at once", () =>
    expect(starts(run({ quota: "none" }, text))).toEqual({ A: 0, B: 0, C: 0 }));
  test("the sentence has who, how much of how much, and what is asked", () => {
    const outcome = run({ quota: "static" }, text);
    const said = outcome.simulation.explain(jobNamed(outcome.world, "B"), 3_000)!;
    expect(WAIT_REASONS[said.reason]).toBe("quota");
    expect(said.share).toEqual({
      whose: "team red",
      used: 4,
      most: 4,
      ever: 4,
      asked: 2,
      unit: "GPUs",
    });
  });
  test("without any quota the pool is split by shares in whole devices", () => {
    const outcome = run(
      { quota: "static" },
      `8 gpus
       team red shares 3
       team blue shares 1
       0s A x6 5s team red
       0s B x1 5s team red
       0s C x2 5s team blue`,
    );
    expect(starts(outcome)).toEqual({ A: 0, C: 0, B: 5 });
  });
});

describe("borrowing", () => {
  const text = `8 gpus
    team red quota 4 LIMITS
    team blue quota 4 LENDS
    0s A x4 10s team red
    0s B x2 5s team red
    0s C x1 6s team red
    1s D x4 4s team blue`;
  const with_ = (limits: string, lends: string): string =>
    text.replace("LIMITS", limits).replace("LENDS", lends);
  test("a team uses what others leave idle, and it comes back only when it ends", () => {
    const outcome = run({ quota: "borrow" }, with_("", ""));
    expect(starts(outcome)).toEqual({ A: 0, B: 0, C: 0, D: 6 });
    expect(reasons(outcome, "start")).toContain("B#1 borrowed");
    expect(gauge(outcome, "borrowed", 0)).toEqual(["0s 3", "5s 1", "6s 0"]);
    expect(gauge(outcome, "lent", 1)).toEqual(["0s 3", "5s 1", "6s 0"]);
  });
  test("within its borrowing limit", () =>
    expect(starts(run({ quota: "borrow" }, with_("borrow 2", "")))).toEqual({
      A: 0,
      B: 0,
      C: 5,
      D: 10,
    }));
  test("within the lenders' lending limits", () =>
    expect(starts(run({ quota: "borrow" }, with_("", "lend 1")))).toEqual({
      A: 0,
      B: 10,
      C: 0,
      D: 6,
    }));
  test("what no quota claims is everybody's to borrow", () => {
    const outcome = run(
      { quota: "borrow" },
      `4 gpus
       team red quota 1
       team blue
       0s A x3 5s team blue
       0s B x1 5s team blue
       0s C x1 5s team red`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 0, C: 5 });
  });
});

describe("field cases of quotas", () => {
  test("drained share not divisible: shares of 1.5 stop nobody when nothing else can run", () => {
    const outcome = run(
      { quota: "borrow" },
      `3 gpus
       team a
       team b
       team c
       0s A x2 10s team a
       1s B x2 60s team b
       1s C x2 60s team c`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 10, C: 70 });
  });

  test("guaranteed against best effort: who is above its quota takes nothing back, and no loop", () => {
    const outcome = run(
      { quota: "reclaim" },
      `300 gpus
       team a quota 150
       team g quota 150
       team be quota 0
       0s A x250 100s team a
       0s B x50 50s team be
       1s X x50 10s team a`,
    );
    expect(evictions(outcome)).toBe(0);
    expect(starts(outcome)).toEqual({ A: 0, B: 0, X: 50 });
    expect(waitReasonLines(outcome)).toContain("1s X quota");
  });

  test("two jobs reclaim each other: each has its half from the start, and nobody is stopped", () => {
    const singles = (name: string, team: string): string =>
      Array.from({ length: 5 }, (_, i) => `0s ${name}${i} x1 60s team ${team}`).join("\n");
    const outcome = run(
      { quota: "reclaim" },
      `8 gpus
       team a
       team b
       ${singles("A", "a")}
       ${singles("B", "b")}`,
    );
    expect(evictions(outcome)).toBe(0);
    expect(starts(outcome)["A4"]).toBe(60);
    expect(starts(outcome)["B3"]).toBe(0);
    expect(gauge(outcome, "borrowed", 0)).toEqual(["0s 0"]);
  });

  test("over-fed queue: who is above its due disturbs nobody", () => {
    const outcome = run(
      { quota: "reclaim" },
      `64 gpus
       team p quota 24
       team m quota 40
       0s P x40 50s team p
       0s M x24 60s team m
       1s Q x3 5s team p`,
    );
    expect(evictions(outcome)).toBe(0);
    expect(starts(outcome)).toMatchObject({ Q: 50 });
  });

  const alice = Array.from({ length: 12 }, (_, i) => `0s A${i} x1 240s team alice`).join("\n");
  const bob = Array.from({ length: 12 }, (_, i) => `60s B${i} x1 240s team bob`).join("\n");
  const pool = `12 gpus
    team alice quota 2
    team bob quota 2
    ${alice}
    ${bob}`;
  test("reclaim to quota gives a newcomer its quota and nothing more", () => {
    const outcome = run({ quota: "reclaim" }, pool);
    expect(evictions(outcome)).toBe(2);
    expect(Object.values(starts(outcome)).filter((atSec) => atSec === 60)).toHaveLength(2);
  });
  test("reclaim to fair share gives it half of the pool", () => {
    const outcome = run({ quota: "reclaim", reclaimTo: "fairShare" }, pool);
    expect(evictions(outcome)).toBe(6);
    expect(Object.values(starts(outcome)).filter((atSec) => atSec === 60)).toHaveLength(6);
  });
});

test("the table of shares has what each team holds, waits for, is due, borrows and lends", () => {
  const outcome = run(
    { quota: "borrow" },
    `8 gpus
     team red quota 4
     team blue quota 4
     0s A x6 10s team red
     1s B x4 4s team blue`,
  );
  const rows = outcome.simulation.shares(0, 3_000);
  const short = rows.map(({ index, gpusHeld, gpusWaited, gpusDue, gpusBorrowed, gpusLent }) => [
    index,
    gpusHeld,
    gpusWaited,
    gpusDue,
    gpusBorrowed,
    gpusLent,
  ]);
  expect(short).toEqual([
    [0, 6, 0, 4, 2, 0],
    [1, 0, 4, 4, 0, 2],
  ]);
});

test("what a team borrows and lends in two pools is recorded as the sum of both", () => {
  const text = `
    2 nodes x 4 gpus
    team red quota 2
    team blue quota 2
    0s A x3 10s team red
    2s B x4 4s team red pool 1
    3s C x1 9s team blue pool 1`;
  const outcome = run({ quota: "borrow" }, text, {
    pools: [labPool({ quota: "borrow" }), labPool({ quota: "borrow" })],
    poolOfNode: [0, 1],
  });
  expect(gauge(outcome, "borrowed", 0)).toEqual(["0s 1", "2s 3", "6s 1", "10s 0"]);
  expect(gauge(outcome, "lent", 1)).toEqual(["0s 1", "2s 3", "6s 1", "10s 0"]);
});
