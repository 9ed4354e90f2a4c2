import { expect, test } from "vitest";
import { runsOf } from "./tinyCluster.ts";

const CONF = ["PriorityType=priority/multifactor", "PriorityCalcPeriod=1"];
/**
 * Usage is counted at ticks, every minute at 54 s, 114 s, …; time limits are checked every 30 s at 24 s, 54 s, …. Eight GPUs use up
 * sixteen GPU minutes in 120 s.
 */
const run = (limit: string, conf: readonly string[] = []) =>
  runsOf({
    conf: [...CONF, ...conf],
    accounting: [`modify account acct set ${limit}`],
    jobs: [
      { id: "A", submitSec: 0, runtimeSec: 290 },
      { id: "B", submitSec: 190, runtimeSec: 5 },
    ],
  });

test("a running job ends at the check of time limits after its budget is used up", () => {
  const runs = run("grptresmins=gres/gpu=16");
  expect(runs.A).toEqual(["0-204 n1 timeout"]);
  expect(runs.B).toEqual([]);
});

test("GrpWall is such a budget, of time alone", () => {
  expect(run("grpwall=1").A).toEqual(["0-144 n1 timeout"]);
});

test("under safe nothing starts that could come to this", () => {
  const safe = ["AccountingStorageEnforce=associations,limits,qos,safe"];
  expect(run("grptresmins=gres/gpu=16", safe).A).toEqual([]);
});

test("priority/basic counts no usage: its budgets never end", () => {
  expect(run("grptresmins=gres/gpu=16", ["PriorityType=priority/basic"]).A).toEqual([
    "0-290 n1 completed",
  ]);
});
