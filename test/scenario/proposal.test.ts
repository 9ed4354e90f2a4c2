import { expect, test } from "vitest";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import { isProposable } from "../../src/scenario/proposal.ts";

const PROPOSING = LIBRARY.flatMap(({ id, suggest }) => (suggest ? [{ id, suggest }] : []));

test.each(PROPOSING)("$id opens with its proposal", ({ id, suggest }) => {
  expect(isProposable(libraryScenario(id)!, suggest)).toBe(true);
});

test("StrictFIFO of Kueue is not proposed to kube-scheduler, be it the document's or a change's", () => {
  const { suggest } = PROPOSING.find(({ id }) => id === "kueue-bin-packing")!;
  const scenario = libraryScenario("kueue-bin-packing")!;
  const policy = { preset: "kube-scheduler", settings: {} };
  const pools = scenario.pools.map((pool) => ({ ...pool, policy }));
  expect(isProposable({ ...scenario, pools }, suggest)).toBe(false);
  const change = { kind: "policy" as const, atMs: 0, policy };
  expect(isProposable({ ...scenario, interventions: [change] }, suggest)).toBe(false);
  const later = { ...change, atMs: suggest.intervention.atMs + 1 };
  expect(isProposable({ ...scenario, interventions: [later] }, suggest)).toBe(true);
});
