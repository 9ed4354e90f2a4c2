import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { fromTables, toTables } from "../../src/scenario/tables.ts";

const back = (value: Json) => fromTables(JSON.parse(JSON.stringify(value)) as Json);
const row = fc.record(
  {
    id: fc.oneof(fc.string(), fc.constantFrom("job-1", "job-02", "job-3")),
    ms: fc.oneof(
      fc.integer(),
      fc.integer({ min: 0, max: 99 }).map((count) => count * 60_000),
    ),
    tier: fc.constantFrom("high", "low", null, true),
    ["__proto__"]: fc.integer(),
    nested: fc.array(fc.record({ a: fc.double({ noNaN: true, noDefaultInfinity: true }) })),
  },
  { requiredKeys: [] },
);

describe("lists of like objects as tables", () => {
  test("come back as they were, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const value = JSON.parse(JSON.stringify({ rows })) as Json;
        expect(back(toTables(value)!)).toEqual({ ok: true, value });
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        const tables = toTables(value);
        if (tables !== null) expect(back(tables)).toEqual({ ok: true, value });
      }),
    );
  });

  test("give minutes as minutes, names that count up once, and few values a digit each", () => {
    const jobs = Array.from({ length: 30 }, (_, index) => ({
      id: `job-${index + 1}`,
      submitMs: index * index * 60_000,
      tier: index % 3 === 0 ? "high" : "low",
      workMs: 3_600_000,
    }));
    expect(toTables(jobs)).toEqual({
      "": [
        30,
        ["id", 4, ["job-", 1, 1]],
        ["submitMs", 3, [60_000, 0, ...Array.from({ length: 29 }, (_, index) => 2 * index + 1)]],
        ["tier", 5, [["high", "low"], "011".repeat(10)]],
        ["workMs", 1, 3_600_000],
      ],
    });
  });

  test("say which rows have a value", () => {
    const rows = ["a", "b", "c", "d", "e", "f"].map((id, index) => ({
      identifier: `${id}-node`,
      ...(index > 1 && index < 4 ? { preemptible: false } : {}),
    }));
    const table = toTables(rows);
    expect(JSON.stringify(table)).toContain('["preemptible",1,false,[0,2,2,2]]');
    expect(fromTables(table!)).toEqual({ ok: true, value: rows });
  });

  test("cannot hold a document with an empty key, which is said", () => {
    expect(toTables({ labels: { "": "x" } })).toBeNull();
  });
});

describe("a table from outside is refused", () => {
  test.each([
    ["without rows", { "": [] }],
    ["with a billion rows", { "": [1_000_000_000, ["id", 4, ["a", 0, 0]]] }],
    ["with a million cells", { "": [20_000, ...Array(50).fill(["id", 1, 1])] }],
    ["whose column is too short", { "": [3, ["id", 0, [1, 2]]] }],
    ["whose column has an unknown form", { "": [1, ["id", 9, [1]]] }],
    ["whose few values are too few", { "": [2, ["id", 5, [["a"], "01"]]] }],
    ["whose gaps go past the end", { "": [2, ["id", 1, 1, [0, 1, 9]]] }],
    ["whose numbers are none", { "": [1, ["id", 3, [1, "x"]]] }],
    ["that repeats a list by reference", { "": [2, ["id", 1, [1, 2, 3]]] }],
  ])("%s", (_what, table) => {
    expect(fromTables(table as Json).ok).toBe(false);
  });

  test("as is whatever is nested without end", () => {
    let value: Json = 1;
    for (let depth = 0; depth < 100; depth++) value = [value];
    expect(fromTables(value).ok).toBe(false);
  });

  test("in words, never with an exception", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void fromTables({ "": value } as Json)));
  });
});
