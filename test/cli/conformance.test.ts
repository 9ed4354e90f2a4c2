import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "queuescope-conformance-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(...paths: string[]): string[] {
  const lines: string[] = [];
  conformance(paths, (line) => lines.push(line));
  return lines;
}
const write = (name: string, content: unknown) =>
  writeFileSync(
    join(folder, name),
    typeof content === "string" ? content : JSON.stringify(content),
  );

test("truth of schedulers that are not built yet is skipped case by case, by name", () => {
  write("kai.json", {
    schema: "sched-vectors/1",
    cases: [{ id: "kai-shr-01" }, { id: "kai-shr-02" }],
  });
  write("field.json", { schema: "field-case/1", id: "01-starving" });
  const lines = run(folder);
  expect(lines.slice(0, 3).map((line) => line.split(":")[0])).toEqual([
    "SKIP 01-starving",
    "SKIP kai-shr-01",
    "SKIP kai-shr-02",
  ]);
  expect(lines.at(-1)).toBe("0 passed, 0 failed, 3 skipped");
});

test("an optional field of a fact that is null says as much as one that is not there", () => {
  const podSets = [
    { name: "stays", count: 20, minCount: null, perPod: 1 },
    { name: "shrinks", count: 30, minCount: 10, perPod: 1 },
  ];
  const input = { podSets, availableQuota: 40 };
  const cases = [{ id: "none", input, expect: { counts: [20, 20] } }];
  write("null.json", {
    schema: "sched-vectors/1",
    system: "kueue",
    check: "partial-admission",
    cases,
  });
  expect(run(folder)).toEqual(["PASS none", "1 passed, 0 failed, 0 skipped"]);
});

test("a list of cases, one a line, is read line by line", () => {
  const one = (id: string) => JSON.stringify({ schema: "field-case/1", id });
  write("cases.jsonl", `${one("a")}\n${one("b")}\n`);
  expect(run(folder).at(-1)).toBe("0 passed, 0 failed, 2 skipped");
});

test("an unknown schema fails", () => {
  write("odd.json", { schema: "horoscope/7" });
  expect(run(folder)[0]).toMatch(/^FAIL odd: .*unknown schema horoscope\/7/);
});

test("a file that is not JSON fails", () => {
  write("broken.json", "{");
  expect(run(folder)[0]).toMatch(/^FAIL broken: .*cannot be read/);
  expect(run(folder).at(-1)).toBe("0 passed, 1 failed, 0 skipped");
});

test("data without a schema is skipped beside recordings and fails when it is named", () => {
  write("geometry.json", { gpus: [] });
  expect(run(folder)[0]).toMatch(/^SKIP geometry/);
  expect(run(join(folder, "geometry.json"))[0]).toMatch(/^FAIL geometry/);
});

test("a path that is not there, or holds no truth, fails", () => {
  expect(run(join(folder, "nowhere"))[0]).toMatch(/^FAIL .*nowhere: there is no such file/);
  expect(run(folder)[0]).toMatch(/^FAIL .*: no truth file/);
});

test("a rule of EASY with a value that is not known is skipped with that value", () => {
  const entry = { file: "x.csv.gz", workload: "w.swf.gz", processors: 8, policy: "easy" };
  write("index.json", {
    schema: "swf-schedule/1",
    schedules: [
      { ...entry, rule: { pass: "per-second" } },
      { ...entry, rule: { candidatesJudgedBy: "size" } },
      { ...entry, policy: "conservative" },
      { ...entry, rule: {} },
    ],
  });
  expect(run(folder)).toEqual([
    "SKIP x: pass = per-second is not known",
    "SKIP x: candidatesJudgedBy = size is not known",
    "SKIP x: the policy conservative has no single published meaning",
    "SKIP x: its workload w.swf.gz is not here",
    "0 passed, 0 failed, 4 skipped",
  ]);
});

test("a rule field that is not known may mean another schedule, so the case is skipped", () => {
  const entry = { file: "x.csv.gz", workload: "w.swf.gz", processors: 8 };
  write("index.json", {
    schema: "swf-schedule/1",
    schedules: [
      { ...entry, policy: "easy", rule: { pass: "per-instant", candidateOrder: "widest" } },
      { ...entry, policy: "fcfs", rule: { candidateOrder: "widest" } },
    ],
  });
  expect(run(folder)).toEqual([
    "SKIP x: the rule field candidateOrder is not known",
    "SKIP x: the rule field candidateOrder is not known",
    "0 passed, 0 failed, 2 skipped",
  ]);
});

/** Two processors; job 2 needs three and is refused, job 3 waits for job 1. */
const workload = ["1 0 -1 10 2 -1 -1 2 10", "2 1 -1 5 3 -1 -1 3 5", "3 2 -1 5 1 -1 -1 1 5"].join(
  "\n",
);
const entry = { file: "s.csv", workload: "w.swf", processors: 2, policy: "fcfs" };

function judge(schedule: string, change: object = {}): string {
  write("w.swf", workload);
  write("s.csv", schedule);
  write("index.json", { schema: "swf-schedule/1", schedules: [{ ...entry, ...change }] });
  return run(folder)[0] ?? "";
}

test("a schedule is compared job by job; refused jobs have no row in it", () => {
  const header = "job_id,submit,start,end,procs";
  expect(judge(`${header}\n1,0,0,10,2\n3,2,10,15,1\n`)).toBe("PASS s");
  expect(judge(`${header}\n1,0,0,10,2\n3,2,11,15,1\n`)).toBe(
    "FAIL s: job 3 expected 11 to 15 s on 1, submitted at 2 s, came 10 to 15 s on 1, submitted at 2 s (1 of 2 jobs differ)",
  );
  expect(judge(`${header}\n1,0,,10,2\n3,2,10,15,1\n`)).toMatch(/^FAIL s: job 1 expected NaN to 10/);
  expect(judge(`${header}\n1,0,0,10,2\n3,3,10,15,1\n`)).toMatch(/^FAIL s: job 3 expected/);
  expect(judge(`${header}\n1,0,0,10,2\n`)).toBe("FAIL s: expected 1 runs, came 2");
});

test("an entry without a rule is judged by ours, and names of files may be in capitals", () => {
  write("w.swf", "1 0 -1 10 2 -1 -1 2 10");
  write("s.csv", "job_id,submit,start,end,procs\n1,0,0,10,2\n");
  const schedules = [{ ...entry, rule: null, policy: "easy" }];
  write("INDEX.JSON", { schema: "swf-schedule/1", schedules });
  expect(run(folder)).toEqual(["PASS s", "1 passed, 0 failed, 0 skipped"]);
});

test("an index entry without what a comparison needs fails, and the others are still judged", () => {
  expect(judge("", { processors: "all" })).toMatch(/^FAIL index\/0: an entry needs file/);
});

test("values of formulas are compared row by row; a section that nothing computes is skipped by name", () => {
  const row = { c: 2, rho: "0.5", erlang_C: "0.333333333333333", Wq: "0.333333333333333" };
  const golden = (rows: readonly object[]) => ({
    schema: "golden-queueing/1",
    erlang_MMc: { rows },
    halfin_whitt: { rows: [] },
  });
  write("golden.json", golden([row]));
  expect(run(folder)).toEqual([
    "PASS golden/erlang_MMc",
    "SKIP golden/halfin_whitt: no formula of the product computes it",
    "1 passed, 0 failed, 1 skipped",
  ]);
  write("golden.json", golden([row, { ...row, Wq: "0.34" }]));
  expect(run(folder)[0]).toMatch(
    /^FAIL golden\/erlang_MMc: row 1: Wq expected 0\.34, came 0\.3333/,
  );
});
