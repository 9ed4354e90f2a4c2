import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import {
  acting,
  appendIntervention,
  firstDifferenceMs,
  removeIntervention,
  replaceIntervention,
} from "../../src/scenario/interventions.ts";
import type { Intervention, ScenarioInput } from "../../src/scenario/schema.ts";
import { drawn, mustRead, problemsOf, scenario, small } from "./scenarios.ts";

const plain = mustRead(small);
const drain = (atMs: number): Intervention => ({ kind: "drain", atMs, nodes: ["n-000"] });
const inject = (atMs: number, id: string): Intervention =>
  completeIntervention({ kind: "inject", atMs, job: { id, workMs: 1_000, gpus: 1 } });

describe("two scenarios first differ", () => {
  test("never, from themselves", () => {
    fc.assert(
      fc.property(scenario, (original) => {
        expect(firstDifferenceMs(original, structuredClone(original))).toBe(
          Number.POSITIVE_INFINITY,
        );
      }),
    );
  });

  test("at the time of an intervention that only one of them has, whichever way round", () => {
    fc.assert(
      fc.property(scenario, fc.nat(20_000_000), (original, atMs) => {
        const edited = appendIntervention(original, drain(atMs));
        const same = original.interventions.some(
          (entry) => entry.kind === "drain" && entry.atMs === atMs,
        );
        fc.pre(!same);
        expect(firstDifferenceMs(original, edited)).toBe(atMs);
        expect(firstDifferenceMs(edited, original)).toBe(atMs);
        expect(removeIntervention(edited, edited.interventions.length - 1)).toEqual(original);
      }),
    );
  });

  test("at the earlier time when an intervention moves", () => {
    expect(
      firstDifferenceMs(
        appendIntervention(plain, drain(500)),
        appendIntervention(plain, drain(300)),
      ),
    ).toBe(300);
  });

  test("not at a later intervention that both have", () => {
    const both = appendIntervention(plain, drain(900));
    expect(firstDifferenceMs(both, appendIntervention(both, drain(1_000)))).toBe(1_000);
  });

  test("at the first job whose number changes, when an earlier injected job is taken away", () => {
    const two = appendIntervention(appendIntervention(plain, inject(800, "x")), inject(300, "y"));
    expect(firstDifferenceMs(two, removeIntervention(two, 0))).toBe(300);
  });

  test("at the shorter horizon", () => {
    expect(
      firstDifferenceMs(
        mustRead({ ...small, horizonMs: 700 }),
        mustRead({ ...small, horizonMs: 900 }),
      ),
    ).toBe(700);
    expect(firstDifferenceMs(mustRead({ ...small, horizonMs: 700 }), plain)).toBe(700);
  });

  test("in the base when the seed or the cluster differs", () => {
    expect(firstDifferenceMs(plain, mustRead({ ...small, seed: 2 }))).toBe("base");
    expect(
      firstDifferenceMs(
        plain,
        mustRead({ ...small, cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 4 }] } }),
      ),
    ).toBe("base");
  });

  test("in the base when another horizon draws other jobs", () => {
    const { untilMs: _until, ...open } = drawn(5);
    const until = (horizonMs: number) =>
      mustRead({ ...small, horizonMs, workload: { synthetic: [open] } });
    expect(firstDifferenceMs(until(1_000), until(2_000))).toBe("base");
  });

  test("not by a title, a question or a note", () => {
    const noted = appendIntervention(plain, { ...drain(5), note: "because" });
    expect(firstDifferenceMs(appendIntervention(plain, drain(5)), noted)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(firstDifferenceMs(plain, { ...plain, title: "other" })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a change that is switched off", () => {
  const off = (change: Intervention): Intervention => ({ ...change, off: true });

  test("is in the document, and the run is the one without it", () => {
    fc.assert(
      fc.property(scenario, fc.nat(20_000_000), (original, atMs) => {
        const edited = appendIntervention(original, off(drain(atMs)));
        expect(firstDifferenceMs(original, edited)).toBe(Number.POSITIVE_INFINITY);
        expect(acting(edited.interventions)).toEqual(acting(original.interventions));
      }),
      { endOnFailure: true },
    );
  });

  test("makes a difference from its time on, when it was on before", () => {
    const two = appendIntervention(appendIntervention(plain, drain(800)), inject(300, "y"));
    expect(firstDifferenceMs(two, replaceIntervention(two, 0, off(drain(800))))).toBe(800);
    expect(firstDifferenceMs(two, replaceIntervention(two, 1, off(inject(300, "y"))))).toBe(300);
  });

  test("may name what there is not: it is checked when it is switched on", () => {
    const hold: ScenarioInput = {
      ...small,
      interventions: [{ kind: "hold", atMs: 5, job: "nobody", off: true }],
    };
    expect(mustRead(hold).interventions).toHaveLength(1);
    expect(
      problemsOf({ ...hold, interventions: [{ kind: "hold", atMs: 5, job: "nobody" }] }),
    ).toHaveLength(1);
  });

  test("injects no job: its id is free, and nobody else may refer to it", () => {
    const job = { id: "x", workMs: 1_000, gpus: 1 };
    const twice: ScenarioInput = {
      ...small,
      workload: { jobs: [{ ...job, submitMs: 0 }] },
      interventions: [{ kind: "inject", atMs: 5, job, off: true }],
    };
    expect(mustRead(twice).interventions).toHaveLength(1);
    const held = problemsOf({
      ...small,
      interventions: [
        { kind: "inject", atMs: 5, job, off: true },
        { kind: "cancel", atMs: 6, job: "x" },
      ],
    });
    expect(held.map(({ place }) => place)).toEqual(["/interventions/1/job"]);
  });
});
