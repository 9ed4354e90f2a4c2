/** The page's build copies numbers with this instead of a package of 60 kB; the generator must not notice. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";

type Copy = ((
  n: number,
  x: ArrayLike<number>,
  sx: number,
  y: Uint32Array,
  sy: number,
) => object) & {
  ndarray(
    n: number,
    x: ArrayLike<number>,
    sx: number,
    ox: number,
    y: Uint32Array,
    sy: number,
    oy: number,
  ): object;
};
const ours = createRequire(import.meta.url)("../../scripts/stdlibCopy.cjs") as Copy;
const generator = createRequire(
  createRequire(import.meta.url).resolve("@stdlib/random-base-mt19937"),
);
const theirs = generator("@stdlib/blas-base-gcopy") as Copy;

test("copies as the package that the generator brings does", () => {
  const from = Uint32Array.from([5, 6, 7, 8]);
  const both = [ours, theirs].map((copy) => {
    const [whole, part] = [new Uint32Array(4), new Uint32Array(6)];
    return [copy(4, from, 1, whole, 1), copy.ndarray(3, from, 1, 1, part, 1, 2)];
  });
  expect(both[0]).toEqual(both[1]);
  expect(both[0]).toEqual([from, Uint32Array.from([0, 0, 6, 7, 8, 0])]);
});
