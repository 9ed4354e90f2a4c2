import { expect, test } from "vitest";
import { SharedColumns } from "../../src/base/columns.ts";

test("columns of one kind that hold the same numbers become one array, others stay their own", () => {
  const share = new SharedColumns([Float64Array.of(1, 2, 3)]);
  const shape = share.all({
    a: Float64Array.of(1, 2, 3),
    b: Float64Array.of(1, 2, 4),
    c: Int32Array.of(1, 2, 3),
    d: Uint32Array.of(1, 2, 3),
    e: Int32Array.of(1, 2, 3),
    f: Int32Array.of(1, 2),
  });
  expect(new Set(Object.values(shape)).size).toBe(5);
  expect(shape.e).toBe(shape.c);
  expect(share.of(Float64Array.of(1, 2, 3))).toBe(shape.a);
});

test("zeros of two signs are two numbers", () => {
  const share = new SharedColumns();
  expect(share.of(Float64Array.of(0))).not.toBe(share.of(Float64Array.of(-0)));
});
