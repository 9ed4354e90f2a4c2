/** What the schema refuses, in words that say what to do. */
import { expect, test } from "vitest";
import { problemsOf, small } from "./scenarios.ts";

test("an empty id is asked for, whoever it is of", () => {
  const job = { id: "", submitMs: 0, gpus: 1, workMs: 1 };
  const [problem] = problemsOf({ ...small, workload: { jobs: [job] } });
  expect(problem).toEqual({
    place: "/workload/jobs/0/id",
    message: "Give the job an id.",
    remedy: "Use at least 1 character.",
  });
  const inject = { kind: "inject", atMs: 0, job };
  expect(problemsOf({ ...small, interventions: [inject] })[0]?.message).toBe("Give the job an id.");
  expect(problemsOf({ ...small, teams: [{ id: "" }] })[0]?.message).toBe("Give it an id.");
  expect(problemsOf({ ...small, pools: [] })[0]?.remedy).toBe("Use at least 1 entry.");
});
