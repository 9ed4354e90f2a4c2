/** Classes of drawn jobs: what they say of a job's life means for a drawn job what it means for one that is spelled out. Their own fields have cases in `labFields.test.ts`. */
import { describe, expect, test } from "vitest";
import type { JobLife } from "../../src/model/lab/jobLife.ts";
import { LIFE_KEYS } from "../../src/scenario/labSchema.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { documentWorld } from "../support/documentWorld.ts";
import { type FieldCase, fieldOf } from "./fields/fieldCase.ts";
import * as ground from "./fields/groundCases.ts";
import * as jobs from "./fields/jobCases.ts";
import * as life from "./fields/lifeCases.ts";
import * as network from "./fields/networkCases.ts";
import { setAt } from "./fields/pointer.ts";
import { type Job, SEC } from "./fields/words.ts";

const JOB = /^\/workload\/jobs\/(\d+)\/(\w+)/;
const isLife = (key: string | undefined) => LIFE_KEYS.some((known) => known === key);
const CASES: readonly FieldCase[] = [life, jobs, network, ground]
  .flatMap((theme) => Object.values(theme).flat())
  .filter(({ at }) => isLife(JOB.exec(at)?.[2]));

/** Life of the first job, its deadline counted from its submission. */
function lifeIn(document: ScenarioInput): JobLife | undefined {
  const world = documentWorld(document);
  const { lab, at } = world.jobs;
  const own = lab.get(0);
  return own && { ...own, deadlineMs: own.deadlineMs - at.submitMs[0]! };
}

function spelledAndDrawn(document: ScenarioInput, job: Job): (JobLife | undefined)[] {
  const { gpus = 1 } = job;
  const words = Object.fromEntries(Object.entries(job).filter(([key]) => isLife(key)));
  const ground = { ...document, horizonMs: 600 * SEC, interventions: [] };
  const spelled: Job = {
    id: "A",
    submitMs: 0,
    workMs: 10 * SEC,
    limitMs: 20 * SEC,
    gpus,
    ...words,
  };
  const drawn = {
    id: "c",
    arrivals: { perHour: 600 },
    gpus: [{ value: gpus, weight: 1 }],
    work: { medianMs: 10 * SEC, leastMs: 10 * SEC, mostMs: 10 * SEC },
    ...words,
  };
  return [
    lifeIn({ ...ground, workload: { jobs: [spelled] } }),
    lifeIn({ ...ground, workload: { synthetic: [drawn] } }),
  ];
}

describe("a class of drawn jobs", () => {
  test.each(CASES.map((each) => [fieldOf(each), each] as const))(
    "has %s as a job has it",
    (_, { at, base, to }) => {
      const index = Number(JOB.exec(at)![1]);
      const documents = [base, ...to.map(([value]) => setAt(base, at, value))];
      const lives = documents.map((document) => {
        const [spelled, drawn] = spelledAndDrawn(document, document.workload!.jobs![index]!);
        expect(drawn).toEqual(spelled);
        return JSON.stringify(drawn ?? null);
      });
      expect(new Set(lives).size).toBeGreaterThan(1);
    },
  );

  test("may draw only sizes that an elastic job of it may have: GPUs, or whole nodes", () => {
    const ofSizes = (values: readonly number[], more: object = {}) =>
      readScenario({
        version: 1,
        cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
        workload: {
          synthetic: [
            {
              id: "c",
              arrivals: { perHour: 1 },
              gpus: values.map((value) => ({ value, weight: 1 })),
              work: { medianMs: SEC },
              elastic: { minMembers: 2, maxMembers: 4 },
              ...more,
            },
          ],
        },
        horizonMs: SEC,
      }).ok;
    expect(ofSizes([2, 4])).toBe(true);
    expect(ofSizes([2, 8])).toBe(false);
    expect(ofSizes([2, 32], { wholeNodesFrom: 16 })).toBe(true);
    expect(ofSizes([2, 8], { wholeNodesFrom: 8 })).toBe(false);
  });
});
