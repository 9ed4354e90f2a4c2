import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, canonicalText, documentDigest } from "../../src/scenario/canonical.ts";
import { mustRead, scenario, scenarioInput, small } from "./scenarios.ts";

test("reading the canonical form gives the same scenario", () => {
  fc.assert(
    fc.property(scenario, (original) => {
      expect(mustRead(JSON.parse(canonicalText(original)))).toEqual(original);
    }),
  );
});

test("the canonical form of the canonical form is itself", () => {
  fc.assert(
    fc.property(scenario, (original) => {
      const text = canonicalText(original);
      expect(canonicalText(mustRead(JSON.parse(text)))).toBe(text);
    }),
  );
});

test("the digest does not depend on the order of keys", () => {
  fc.assert(
    fc.property(scenarioInput, (input) => {
      const reversed = Object.fromEntries(Object.entries(input).reverse());
      expect(documentDigest(mustRead(reversed))).toBe(documentDigest(mustRead(input)));
    }),
  );
});

test("defaults that are written out leave no trace", () => {
  const spelled = {
    ...small,
    seed: 1,
    killAtLimit: true,
    cluster: {
      nodeGroups: [{ id: "n", count: 2, gpus: 4, gpuModel: "H100", cpus: 0, labels: {} }],
      flat: false,
    },
    pools: [{ id: "all", policy: { preset: "lab", settings: {} }, route: {} }],
    workload: { jobs: [], synthetic: [] },
  };
  expect(canonicalJson(mustRead(spelled))).toEqual(small);
});

test("the digest of a document is fixed", () => {
  expect(documentDigest(mustRead(small))).toBe(
    // sha256sum of the text below, computed outside this program.
    "1cb7c9a59f380e9ab6a912d399e08701297ac1167691b54310a07ceae68898c5",
  );
  expect(canonicalText(mustRead(small))).toBe(
    '{"cluster":{"nodeGroups":[{"count":2,"gpus":4,"id":"n"}]},"version":1}',
  );
});
