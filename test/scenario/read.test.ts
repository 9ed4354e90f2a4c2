import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/model/limits.ts";
import { readScenario, readScenarioText } from "../../src/scenario/read.ts";
import { MINUTE, mustRead, problemsOf, small } from "./scenarios.ts";

const job = { id: "a", submitMs: 0, workMs: MINUTE, gpus: 1 };
const withJob = (fields: object) => ({ ...small, workload: { jobs: [{ ...job, ...fields }] } });
const withIntervention = (fields: object) => ({ ...withJob({}), interventions: [fields] });

describe("a document is read with its defaults", () => {
  test("a scenario without tiers has Critical, High, Normal and Low", () => {
    expect(mustRead(small).tiers.map((tier) => tier.name)).toEqual([
      "Critical",
      "High",
      "Normal",
      "Low",
    ]);
  });

  test("a document from before versions were written reads as version 1", () => {
    const { version: _version, ...old } = small;
    expect(mustRead(old)).toEqual(mustRead(small));
    expect(mustRead({ ...old, version: 0 })).toEqual(mustRead(small));
  });
});

describe("a fault is named with its place and a remedy", () => {
  test.each([
    ["an unknown field", { ...small, clutser: 1 }, "/"],
    ["a missing cluster", { version: 1 }, "/cluster"],
    ["a version that never was", { ...small, version: -1 }, "/version"],
    ["an unknown tier", withJob({ tier: "gold" }), "/workload/jobs/0/tier"],
    ["an unknown team", withJob({ team: "gold" }), "/workload/jobs/0/team"],
    ["an unknown queue", withJob({ queue: "gold" }), "/workload/jobs/0/queue"],
    ["two request shapes", withJob({ components: [{}] }), "/workload/jobs/0"],
    ["no request shape", withJob({ gpus: undefined }), "/workload/jobs/0"],
    ["GPUs both in total and by nodes", withJob({ nodes: 2 }), "/workload/jobs/0"],
    [
      "a share beside a MIG profile",
      withJob({ gpus: undefined, components: [{ gpuShareMilli: 500, migProfile: "1g" }] }),
      "/workload/jobs/0/components/0",
    ],
    ["a job that waits for itself", withJob({ after: [{ job: "a" }] }), "/workload/jobs/0/after"],
    [
      "an array that waits for a member of its own",
      withJob({ array: { count: 2 }, after: [{ job: "a_1" }] }),
      "/workload/jobs/0/after",
    ],
    ["a dependency on nothing", withJob({ after: [{ job: "b" }] }), "/workload/jobs/0/after/0/job"],
    [
      "work of more than four years",
      withJob({ workMs: LIMITS.workMs + 1 }),
      "/workload/jobs/0/workMs",
    ],
    [
      "too many nodes",
      {
        ...small,
        cluster: {
          nodeGroups: [
            { id: "n", count: LIMITS.nodes, gpus: 1 },
            { id: "m", count: 1, gpus: 1 },
          ],
        },
      },
      "/cluster/nodeGroups",
    ],
    [
      "too many GPUs",
      { ...small, cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 60_000 }] } },
      "/cluster/nodeGroups",
    ],
    [
      "a flat machine of two nodes",
      { ...small, cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }], flat: true } },
      "/cluster/flat",
    ],
    [
      "an unknown preset",
      { ...small, pools: [{ id: "p", policy: { preset: "magic" } }] },
      "/pools/0/policy/preset",
    ],
    [
      "an unknown setting",
      { ...small, pools: [{ id: "p", policy: { settings: { speed: 3 } } }] },
      "/pools/0/policy/settings/speed",
    ],
    [
      "a setting outside its values",
      { ...small, pools: [{ id: "p", policy: { settings: { backfill: "yes" } } }] },
      "/pools/0/policy/settings/backfill",
    ],
    [
      "a pool of unknown nodes",
      { ...small, pools: [{ id: "p", nodeGroups: ["x"] }] },
      "/pools/0/nodeGroups/0",
    ],
    [
      "a date that does not exist",
      { ...small, calendarStart: "2026-02-30T00:00:00" },
      "/calendarStart",
    ],
    [
      "drawn jobs without an end",
      {
        ...small,
        workload: {
          synthetic: [
            {
              id: "s",
              arrivals: { perHour: 1 },
              gpus: [{ value: 1, weight: 1 }],
              work: { medianMs: 1000 },
            },
          ],
        },
      },
      "/workload/synthetic/0/untilMs",
    ],
    [
      "an intervention behind the end",
      { ...withIntervention({ kind: "cancel", atMs: 10, job: "a" }), horizonMs: 5 },
      "/interventions/0/atMs",
    ],
    [
      "a drain of an unknown node",
      withIntervention({ kind: "drain", atMs: 1, nodes: ["n-007"] }),
      "/interventions/0/nodes/0",
    ],
    [
      "a cancel of an unknown job",
      withIntervention({ kind: "cancel", atMs: 1, job: "z" }),
      "/interventions/0/job",
    ],
    [
      "a tier that an intervention makes up",
      withIntervention({ kind: "retier", atMs: 1, job: "a", tier: "gold" }),
      "/interventions/0/tier",
    ],
    [
      "an injected job with a name that is taken",
      withIntervention({ kind: "inject", atMs: 1, job: { id: "a", workMs: 1, gpus: 1 } }),
      "/interventions/0/job/id",
    ],
    [
      "an unknown pool",
      withIntervention({ kind: "policy", atMs: 1, pool: "x", policy: {} }),
      "/interventions/0/pool",
    ],
  ])("%s", (_title, document, place) => {
    const problems = problemsOf(JSON.parse(JSON.stringify(document)));
    expect(problems.map((problem) => problem.place)).toContain(place);
    for (const problem of problems) {
      expect(problem.message).toMatch(/\.$/);
      expect(problem.remedy).toMatch(/[.…]$/);
    }
  });

  test("ids of array members count as ids", () => {
    const jobs = [
      { ...job, array: { count: 2 } },
      { ...job, id: "a_1" },
    ];
    expect(problemsOf({ ...small, workload: { jobs } })[0]?.place).toBe("/workload/jobs/1/id");
  });

  test("a ring of dependencies is found, a long chain is not taken for one", () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => ({
      ...job,
      id: `j${i}`,
      ...(i > 0 ? { after: [{ job: `j${i - 1}` }] } : {}),
    }));
    expect(readScenario({ ...small, workload: { jobs: chain } }).ok).toBe(true);
    const ring = chain.map((entry, i) =>
      i === 0 ? { ...entry, after: [{ job: "j4999" }] } : entry,
    );
    expect(problemsOf({ ...small, workload: { jobs: ring } })[0]?.message).toContain(
      "waits for itself",
    );
  });

  test("a document that is too new asks for a newer program", () => {
    expect(problemsOf({ ...small, version: 2 })[0]?.message).toContain("version 2");
  });
});

describe("hostile input is refused and never throws", () => {
  test("any JSON value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void readScenario(value)));
  });

  test("any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readScenarioText(text).ok).toBe(false);
      }),
    );
  });

  test("any one field of a good document replaced by anything", () => {
    const good = JSON.stringify(withIntervention({ kind: "drain", atMs: 1, nodes: ["n-000"] }));
    const places = [...good.matchAll(/"[a-zA-Z]+":/g)].length;
    fc.assert(
      fc.property(fc.nat({ max: places - 1 }), fc.jsonValue(), (place, value) => {
        let seen = 0;
        void readScenario(
          JSON.parse(good, (key, old) =>
            key !== "" && Number.isNaN(Number(key)) && seen++ === place ? value : old,
          ),
        );
      }),
    );
  });

  test.each([
    ["deep nesting", "[".repeat(200_000) + "]".repeat(200_000)],
    ["a deep version", `{"version":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    [
      "a prototype key",
      '{"__proto__":{"version":1},"version":1,"cluster":{"nodeGroups":[{"id":"n","count":1,"gpus":1}]}}',
    ],
    ["half a document", '{"version":1,"cluster":'],
  ])("%s", (_title, text) => {
    expect(readScenarioText(text).ok).toBe(false);
  });

  test("a text above the size limit is refused unread", () => {
    const result = readScenarioText(" ".repeat(LIMITS.documentBytes + 1));
    expect(result.ok ? "" : result.error[0]?.message).toContain("8 MiB");
  });
});
