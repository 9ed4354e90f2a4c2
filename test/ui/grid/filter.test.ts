import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GridColumn } from "../../../src/ui/grid/column.ts";
import { columnFilter, passes } from "../../../src/ui/grid/filter.ts";

const MINUTE = 60_000;
interface Row {
  readonly name: string;
  readonly gpus: number;
  readonly limitMs: number;
}
const NAME: GridColumn<Row> = { id: "name", label: "name", width: "1fr", text: (row) => row.name };
const GPUS: GridColumn<Row> = {
  id: "gpus",
  label: "GPUs",
  width: "1fr",
  right: true,
  value: (row) => row.gpus,
  text: (row) => String(row.gpus),
};
const LIMIT: GridColumn<Row> = {
  id: "limit",
  label: "limit",
  width: "1fr",
  kind: "duration",
  value: (row) => row.limitMs,
  text: (row) => (Number.isFinite(row.limitMs) ? `${row.limitMs / MINUTE} m` : "none"),
};
const row = (given: Partial<Row>): Row => ({ name: "", gpus: 0, limitMs: 0, ...given });
const sizes = (typed: string): number[] =>
  [1, 8, 16, 64].filter((gpus) => passes(columnFilter(GPUS, typed), GPUS, row({ gpus })));
const names = (typed: string): string[] =>
  ["train moe", "Train", "serve"].filter((name) =>
    passes(columnFilter(NAME, typed), NAME, row({ name })),
  );
const limits = (typed: string): number[] =>
  [10, 30, 90, Number.POSITIVE_INFINITY].filter((minutes) =>
    passes(columnFilter(LIMIT, typed), LIMIT, row({ limitMs: minutes * MINUTE })),
  );

describe("a filter above a column", () => {
  test("bounds numbers: above, at most, exactly, from to, without, and several at once", () => {
    expect(sizes(">8")).toEqual([16, 64]);
    expect(sizes("<= 8")).toEqual([1, 8]);
    expect(sizes("≥16")).toEqual([16, 64]);
    expect(sizes("8")).toEqual([8]);
    expect(sizes("8..16")).toEqual([8, 16]);
    expect(sizes("!=8")).toEqual([1, 16, 64]);
    expect(sizes(">1 <64")).toEqual([8, 16]);
  });

  test("looks for text in any case; whole, without, or either of two", () => {
    expect(names("train")).toEqual(["train moe", "Train"]);
    expect(names("=train")).toEqual(["Train"]);
    expect(names("!train")).toEqual(["serve"]);
    expect(names("moe|serve")).toEqual(["train moe", "serve"]);
  });

  test("bounds durations with their unit, or as schedulers write limits; a word finds what has none", () => {
    expect(limits(">30m")).toEqual([90, Number.POSITIVE_INFINITY]);
    expect(limits("<=0.5h")).toEqual([10, 30]);
    expect(limits("1:30:00")).toEqual([90]);
    expect(limits("none")).toEqual([Number.POSITIVE_INFINITY]);
  });

  test("a bound that cannot be read says so and holds back nothing", () => {
    expect(columnFilter(GPUS, ">eight").test).toBeNull();
    expect(columnFilter(LIMIT, ">30").test).toBeNull();
    expect(sizes(">eight")).toEqual([1, 8, 16, 64]);
  });

  test("whatever is typed is either read or refused, and above and at most part the rows in two", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -99, max: 99 }), (typed, bound) => {
        passes(columnFilter(GPUS, typed), GPUS, row({ gpus: 3 }));
        const above = sizes(`>${bound}`);
        const most = sizes(`<=${bound}`);
        expect([...most, ...above]).toEqual([1, 8, 16, 64]);
      }),
    );
  });
});
