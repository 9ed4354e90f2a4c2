import { expect, test } from "vitest";
import { withPreset } from "../../src/panels/inspector/policy/policyDraft.ts";

test("edits of a preset that was left are there again when it is chosen again", () => {
  const kueue = { preset: "kueue", settings: {}, yaml: "kind: ClusterQueue" };
  const volcano = { preset: "volcano", settings: {} };
  const scenario = {} as never;
  const base = { scenario, poolId: "all", from: "cursor" as const };
  const there = withPreset({ ...base, edited: kueue, left: [] }, "volcano", volcano);
  expect(there.edited).toEqual(volcano);
  const back = withPreset({ ...base, ...there }, "kueue", { preset: "kueue", settings: {} });
  expect(back.edited).toEqual(kueue);
});
