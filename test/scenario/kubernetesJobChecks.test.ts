/** What a job asks of the Kubernetes family is refused where its members could never make it true. */
import { expect, test } from "vitest";
import { mustRead, problemsOf } from "./scenarios.ts";

const documentOf = (job: object) => ({
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
  workload: { jobs: [{ id: "a", submitMs: 0, workMs: 1_000, ...job }] },
});
const problems = (job: object) =>
  problemsOf(documentOf(job)).map(({ place, message }) => `${place}: ${message}`);

test("a group of more pods than the job has is never complete", () => {
  expect(problems({ components: [{ members: 5 }], kubernetes: { minMember: 9 } })).toEqual([
    "/workload/jobs/0/kubernetes/minMember: The job has 5 members; minMember is 9.",
  ]);
});

test("fewer members than the job starts with need to be said of its components too", () => {
  const components = [{ members: 3 }, { members: 2, minMembers: 1 }];
  expect(problems({ components, kubernetes: { minMember: 3 } })).toEqual([
    "/workload/jobs/0/kubernetes/minMember: minMember is 3, but nothing of the job progresses with fewer than 4 members.",
  ]);
  expect(problems({ components, kubernetes: { minCount: 3 }, gang: false })).toHaveLength(1);
  mustRead(documentOf({ components, kubernetes: { minMember: 4, minCount: 5 } }));
});

test("pods that are no gang may have any group of them", () => {
  mustRead(documentOf({ components: [{ members: 3 }], gang: false, kubernetes: { minMember: 2 } }));
});
