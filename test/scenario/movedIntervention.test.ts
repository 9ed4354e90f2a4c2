import { describe, expect, test } from "vitest";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { aboutItsJob, movedIntervention } from "../../src/scenario/movedIntervention.ts";

describe("a change that is moved", () => {
  test("takes the window of a reservation with it", () => {
    const made = completeIntervention({
      kind: "reserve",
      atMs: 100,
      name: "w",
      startMs: 160,
      endMs: 220,
      nodes: "ALL",
    });
    expect(movedIntervention(made, 300)).toMatchObject({ atMs: 300, startMs: 360, endMs: 420 });
  });

  test("takes the submission of its job with it, and leaves a time by the clock alone", () => {
    const job = { id: "x", gpus: 1, workMs: 5, submitMs: 130, beginMs: 900 };
    const made = completeIntervention({ kind: "inject", atMs: 100, job });
    expect(movedIntervention(made, 40)).toMatchObject({
      atMs: 40,
      job: { submitMs: 70, beginMs: 900 },
    });
  });

  test("says the same of everything else", () => {
    const made = completeIntervention({ kind: "drain", atMs: 7, nodes: ["n-000"], note: "why" });
    expect(movedIntervention(made, 8)).toEqual({ ...made, atMs: 8 });
    expect(movedIntervention(movedIntervention(made, 8), 7)).toEqual(made);
  });
});

test("changes about an injected job are those of its id, its tasks and its stages", () => {
  const list = [
    completeIntervention({ kind: "inject", atMs: 0, job: { id: "a", gpus: 1, workMs: 5 } }),
    completeIntervention({ kind: "cancel", atMs: 1, job: "a" }),
    completeIntervention({ kind: "hold", atMs: 1, job: "a_3" }),
    completeIntervention({ kind: "hold", atMs: 1, job: "a.2" }),
    completeIntervention({ kind: "cancel", atMs: 1, job: "ab" }),
    completeIntervention({ kind: "cancel", atMs: 1, job: "b_3" }),
    completeIntervention({ kind: "drain", atMs: 1, nodes: ["a"] }),
  ];
  expect(aboutItsJob(list, 0)).toEqual([1, 2, 3]);
  expect(aboutItsJob(list, 1)).toEqual([]);
});
