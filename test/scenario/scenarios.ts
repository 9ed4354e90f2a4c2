/** Scenarios for tests: a small valid one to start from, and random valid ones for properties. */
import fc from "fast-check";
import type { Problem } from "../../src/base/problem.ts";
import type { Result } from "../../src/base/result.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario, ScenarioInput } from "../../src/scenario/schema.ts";

export const MINUTE = 60_000;

/** Two nodes of four GPUs and no job. */
export const small: ScenarioInput = {
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
};

export function mustRead(document: unknown): Scenario {
  return must(readScenario(document));
}

export function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** The problems of a document that must be refused. */
export function problemsOf(document: unknown): Problem[] {
  const result = readScenario(document);
  if (result.ok) throw new Error("The document was accepted.");
  return result.error;
}

const tiers = ["critical", "high", "normal", "low"] as const;
const teams = ["red", "blue"] as const;
const ms = fc.integer({ min: 0, max: 10_000_000 });

const shape = fc.oneof(
  fc.record({ gpus: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ nodes: fc.integer({ min: 1, max: 4 }), gpusPerNode: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    components: fc.array(
      fc.record({
        members: fc.integer({ min: 1, max: 3 }),
        gpusPerMember: fc.integer({ min: 0, max: 4 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

const job = (id: string) =>
  fc
    .tuple(
      shape,
      fc.record(
        {
          submitMs: ms,
          workMs: ms,
          limitMs: fc.integer({ min: 1, max: 20_000_000 }),
          tier: fc.constantFrom(...tiers),
          team: fc.constantFrom(...teams),
          name: fc.string({ minLength: 1, maxLength: 12 }),
          gang: fc.boolean(),
        },
        { requiredKeys: ["submitMs", "workMs"] },
      ),
    )
    .map(([form, fields]) => ({ id, ...form, ...fields }));

const intervention = (index: number) =>
  fc.oneof(
    fc.record({ kind: fc.constant("drain" as const), atMs: ms, nodes: fc.constant(["n-000"]) }),
    fc.record({
      kind: fc.constant("policy" as const),
      atMs: ms,
      policy: fc.record({
        settings: fc.record({ backfill: fc.constantFrom("none", "easy", "conservative") }),
      }),
    }),
    fc.tuple(ms, job(`injected-${index}`)).map(([atMs, { submitMs: _submit, ...injected }]) => ({
      kind: "inject" as const,
      atMs,
      job: injected,
    })),
  );

const list = <T>(entry: (index: number) => fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> =>
  fc
    .integer({ min: 0, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => entry(i))));

export const scenarioInput = fc
  .record(
    {
      title: fc.string({ minLength: 1, maxLength: 30 }),
      seed: fc.integer({ min: 0, max: 1_000 }),
      killAtLimit: fc.boolean(),
      nodes: fc.integer({ min: 1, max: 20 }),
      gpus: fc.integer({ min: 1, max: 8 }),
      fabric: fc.option(fc.record({ nodesPerLeaf: fc.integer({ min: 1, max: 8 }) }), {
        nil: undefined,
      }),
      jobs: list((index) => job(`job-${index}`), 8),
      interventions: list(intervention, 5),
      perHour: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    },
    { requiredKeys: ["nodes", "gpus", "jobs", "interventions"] },
  )
  .map(({ nodes, gpus, fabric, jobs, interventions, perHour, ...rest }) => ({
    version: 1,
    ...rest,
    cluster: {
      nodeGroups: [{ id: "n", count: nodes, gpus }],
      ...(fabric === undefined ? {} : { fabric }),
    },
    teams: teams.map((id) => ({ id })),
    workload: { jobs, ...(perHour === undefined ? {} : { synthetic: [drawn(perHour)] }) },
    interventions,
  }));

/** One class of drawn jobs over three hours. */
export function drawn(perHour: number) {
  return {
    id: "drawn",
    arrivals: { perHour },
    untilMs: 180 * MINUTE,
    gpus: [
      { value: 1, weight: 2 },
      { value: 8, weight: 1 },
    ],
    work: { medianMs: 20 * MINUTE },
  };
}

export const scenario: fc.Arbitrary<Scenario> = scenarioInput.map(mustRead);
