/** A long job in stages: what each of them costs. */
import { expect, test } from "vitest";
import { everyRun, phases, ran } from "./fields/ran.ts";
import { doc, job, machine, SEC } from "./fields/words.ts";

const chain = (checkpoint?: { every: "never"; restoreMs: number; sizeGiB?: number }) =>
  ran(doc(machine(1, 1), [job("A", 0, 6, { gpus: 1, stages: 3, startupMs: SEC, checkpoint })]));

test("later stages start up, and read what the one before has saved", () => {
  const run = chain({ every: "never", restoreMs: 2 * SEC });
  expect(everyRun(run)).toEqual({ "A.1": "0-3", "A.2": "3-8", "A.3": "8-13" });
  expect(phases("A.1")(run)).toBe("starting 0-1, running 1-3");
  expect(phases("A.2")(run)).toBe("starting 3-4, restoring 4-6, running 6-8");
});

test("without checkpoints there is nothing to read", () => {
  expect(everyRun(chain())).toEqual({ "A.1": "0-3", "A.2": "3-6", "A.3": "6-9" });
});
