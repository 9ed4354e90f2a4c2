/** What the shipped models reproduce of the measured effects of placement; the rest is listed in docs/studies/network.md. */
import { expect, test } from "vitest";
import {
  ADAPTDL,
  GAVEL,
  isMet,
  modelled,
  slowdown,
} from "../../../bench/studies/measuredPlacements.ts";
import { MEASURED_MODELS, MEASURED_NETWORKS } from "../../../src/model/network/models.ts";

function met(from: "gavel" | "adaptdl"): number {
  const rows = from === "gavel" ? GAVEL : ADAPTDL;
  return rows.reduce(
    (sum, [model, measured]) =>
      sum + modelled(from, model).filter((value, i) => isMet(value, measured[i]!)).length,
    0,
  );
}

test("34 of 57 ratios of Gavel and 16 of 18 of AdaptDL within 10 %", () =>
  expect([met("gavel"), met("adaptdl")]).toEqual([34, 16]));

test("only models with measurements are shipped", () =>
  expect([...GAVEL, ...ADAPTDL].map(([model]) => model)).toEqual([...MEASURED_MODELS]));

test("two members behind one card are slower than one a node, in all six models that were measured so", () => {
  for (const [model] of ADAPTDL) {
    const shared = slowdown(model, MEASURED_NETWORKS.adaptdl, [2, 2]);
    expect(shared).toBeGreaterThan(slowdown(model, MEASURED_NETWORKS.adaptdl, [1, 1, 1, 1]));
  }
});
