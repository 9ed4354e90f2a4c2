import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { policyRows } from "../../src/app/about/policyWords.ts";

const csp = JSON.parse(
  readFileSync(new URL("../../scripts/csp.json", import.meta.url), "utf8"),
) as Record<string, string>;
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
