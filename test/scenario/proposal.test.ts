import { expect, test } from "vitest";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import { isProposable } from "../../src/scenario/proposal.ts";

const PROPOSING = LIBRARY.flatMap(({ id, suggest }) => (suggest ? [{ id, suggest }] : []));

test.each(PROPOSING)("$id opens with its proposal", ({ id, suggest }) => {
  const came = libraryScenario(id)!;
  expect(isProposable(came, suggest, null)).toBe(true);
  expect(isProposable(came, suggest, came)).toBe(true);
});

test.each(PROPOSING)(
  "$id proposes something that reads alike beside any job and at any time",
  ({ suggest }) => {
    expect(suggest.label).not.toMatch(/\b(it|its|this|here|now)\b/i);
  },
);

test("StrictFIFO of Kueue is not proposed to kube-scheduler, be it the document's or a change's", () => {
  const { suggest } = PROPOSING.find(({ id }) => id === "kueue-bin-packing")!;
  const scenario = libraryScenario("kueue-bin-packing")!;
  const policy = { preset: "kube-scheduler", settings: {} };
  const pools = scenario.pools.map((pool) => ({ ...pool, policy }));
  expect(isProposable({ ...scenario, pools }, suggest, null)).toBe(false);
  const change = { kind: "policy" as const, atMs: 0, policy };
  expect(isProposable({ ...scenario, interventions: [change] }, suggest, null)).toBe(false);
  const later = { ...change, atMs: suggest.intervention.atMs + 1 };
  expect(isProposable({ ...scenario, interventions: [later] }, suggest, null)).toBe(true);
});

test("a policy is proposed no more once somebody has set another YAML, from the start or later: it would be undone", () => {
  const { suggest } = PROPOSING.find(({ id }) => id === "kueue-bin-packing")!;
  const came = libraryScenario("kueue-bin-packing")!;
  const [pool] = came.pools;
  const policy = { ...pool!.policy, yaml: pool!.policy.yaml!.replaceAll("research", "team-b") };
  const fromStart = { ...came, pools: [{ ...pool!, policy }] };
  expect(isProposable(fromStart, suggest, came)).toBe(false);
  for (const atMs of [0, suggest.intervention.atMs + 1]) {
    const changed = { ...came, interventions: [{ kind: "policy" as const, atMs, policy }] };
    expect(isProposable(changed, suggest, came)).toBe(false);
    const off = changed.interventions.map((change) => ({ ...change, off: true as const }));
    expect(isProposable({ ...came, interventions: off }, suggest, came)).toBe(true);
  }
  // A change of another kind is nobody's policy.
  const drained = { kind: "drain" as const, atMs: 0, nodes: ["h100-000"] };
  expect(isProposable({ ...came, interventions: [drained] }, suggest, came)).toBe(true);
});
