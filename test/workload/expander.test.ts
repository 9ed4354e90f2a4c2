import { expect, test } from "vitest";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { expand } from "../../src/workload/expand.ts";
import { Expander } from "../../src/workload/expander.ts";

const HOUR_MS = 3_600_000;

function read(document: object): Scenario {
  const outcome = readScenario(document);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

const inject = (id: string, more: object = {}) => ({
  kind: "inject",
  atMs: 5 * HOUR_MS,
  job: { id, gpus: 1, workMs: HOUR_MS, limitMs: 2 * HOUR_MS, ...more },
});
const cancel = (job: string) => ({ kind: "cancel", atMs: 6 * HOUR_MS, job });

/** Edits one after the other; each list is the whole list of changes. */
const CHAIN: readonly (readonly object[])[] = [
  [],
  [inject("new-1", { user: "somebody" })],
  [inject("new-1", { user: "somebody" }), cancel("new-1")],
  [inject("new-2", { array: { count: 3 } }), inject("new-3", { after: [{ job: "new-2" }] })],
  [inject("new-2"), { ...inject("new-3"), off: true }],
  [inject("new-4", { singleton: true, name: "one at a time" })],
  [inject("new-5")],
  [],
];

test.each(["why-waiting", "tiers", "month-128", "slurm-two-teams"])(
  "a document is the same world after a chain of edits as when it is opened afresh: %s",
  (id) => {
    const whole = libraryScenario(id);
    const base = whole && { ...whole, horizonMs: 24 * HOUR_MS };
    if (!base) throw new Error(`${id} is not in the library`);
    const expander = new Expander();
    for (const [step, interventions] of CHAIN.entries()) {
      const outcome = readScenario({
        ...base,
        interventions: [...base.interventions, ...interventions],
      });
      if (!outcome.ok) throw new Error(`${step}: ${JSON.stringify(outcome.error)}`);
      const again = expander.expand(outcome.value, undefined, step > 0);
      expect(spread(again), `step ${step}`).toEqual(spread(expand(outcome.value)));
    }
  },
);

/** Names and requests as maps of their own, whatever they lie in. */
function spread(outcome: ReturnType<typeof expand>): object {
  if (!outcome.ok) return outcome;
  const { jobs } = outcome.value;
  const { ids, names, slurm, lab, kubernetes } = jobs;
  const maps = [ids.texts, names.texts, slurm, lab, kubernetes ?? []] as const;
  const own = { ids: { ...ids, texts: 0 }, names: { ...names, texts: 0 }, slurm, lab, kubernetes };
  return {
    ...outcome.value,
    jobs: { ...jobs, ...own, slurm: 0, lab: 0, kubernetes: 0 },
    maps: maps.map((map) => new Map<number, unknown>(map)),
  };
}

test("injected jobs stand behind jobs that are told to be those of the document, in one table after the other", () => {
  const expander = new Expander();
  // A singleton is told of all names, and all are collected anew.
  const origins = CHAIN.slice(0, 5).map((interventions, step) => {
    const outcome = expander.expand(read({ ...plain, interventions }), undefined, step > 0);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    return outcome.value.jobs.origin;
  });
  expect(origins.every((origin) => origin?.of === origins[0]?.of && origin?.rows === 1)).toBe(true);
  const other = new Expander().expand(plain, undefined, false);
  expect(other.ok && other.value.jobs.origin?.of).not.toBe(origins[0]?.of);
});

const plain = read({
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
  workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1_000, limitMs: 2_000 }] },
});
const drained = { ...plain, interventions: [{ kind: "drain", atMs: 500, nodes: ["n-001"] }] };

test("an edit that touches no job takes over the very table of jobs, and one of another document does not", () => {
  const expander = new Expander();
  expander.expand(plain, undefined, false);
  const { jobs } = expander;
  expander.expand(read(drained), undefined, true);
  expect(expander.jobs).toBe(jobs);
  expander.expand(read({ ...plain, seed: 9 }), undefined, false);
  expect(expander.jobs).not.toBe(jobs);
});

test("a document with problems, or one that is only tried, leaves the next edit what it builds on", () => {
  const expander = new Expander();
  expander.expand(plain, undefined, false);
  const { jobs } = expander;
  const unknown = { ...plain, interventions: [cancel("nobody")] } as unknown as Scenario;
  expect(expander.expand(unknown, undefined, true).ok).toBe(false);
  const twin = read({ ...plain, interventions: [inject("b")] });
  expect(expander.expand(twin, undefined, true, false).ok).toBe(true);
  expect(expander.jobs).toBe(jobs);
  expect(expander.expand(read(drained), undefined, true)).toEqual(expand(read(drained)));
});

test("the place in the document's list is kept where it is not the order of submission, injected jobs last", () => {
  const job = (id: string, submitMs: number) => ({ id, submitMs, workMs: 1_000, gpus: 1 });
  const document = {
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
    workload: { jobs: [job("late", 9_000), job("first", 0), job("second", 0)] },
  };
  const expander = new Expander();
  const listed = (interventions: object[], again: boolean) => {
    const outcome = expander.expand(read({ ...document, interventions }), undefined, again);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    return [...(outcome.value.jobs.listed ?? [])];
  };
  expect(listed([], false)).toEqual([1, 2, 0]);
  expect(listed([inject("new")], true)).toEqual([1, 2, 0, 3]);
});
