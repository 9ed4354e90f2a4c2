import { expect, test } from "vitest";
import csp from "../../scripts/csp.json" with { type: "json" };
import { licenceGroups } from "../../src/app/about/built.ts";
import { policyRows } from "../../src/app/about/policyWords.ts";

const policy = Object.entries(csp)
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join("; ");

test("every directive of the page's policy is said in words, and nothing is left of the browser's own", () => {
  const rows = policyRows(policy);
  expect(rows.map(({ directive }) => directive)).toEqual(
    Object.entries(csp).map((pair) => pair.join(" ")),
  );
  for (const { about, allowed } of rows) {
    expect(about).not.toMatch(/-(src|uri|action)$/);
    expect(allowed).not.toMatch(/['*]|https?:/);
  }
});

test("a policy that let requests out would be read as such", () => {
  expect(policyRows("connect-src 'self' https://example.org")[0]?.allowed).toBe(
    "only the place that the page itself came from, https://example.org",
  );
  expect(policyRows("")).toEqual([]);
});

test("packages under the same words stand together, the larger groups first", () => {
  const groups = licenceGroups({
    version: "1",
    packages: [
      { name: "a", version: "1.0.0", licence: "MIT", text: 0 },
      { name: "b", version: "1.0.0", licence: "ISC", text: 1 },
      { name: "c", version: "2.0.0", licence: "MIT", text: 0 },
      { name: "d", version: "1.0.0", licence: "MIT", text: -1 },
    ],
    texts: ["mine", "yours"],
  });
  expect(groups.map(({ licence, packages, text }) => [licence, packages.length, text])).toEqual([
    ["MIT", 2, "mine"],
    ["ISC", 1, "yours"],
    ["MIT", 1, null],
  ]);
});
