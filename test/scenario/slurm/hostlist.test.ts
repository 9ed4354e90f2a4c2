import fc from "fast-check";
import { expect, test } from "vitest";
import { compressHostlist, expandHostlist } from "../../../src/scenario/slurm/hostlist.ts";

function names(text: string): string[] {
  const expanded = expandHostlist(text);
  if (!expanded.ok) throw new Error(expanded.error);
  return expanded.value;
}

test("numbers keep the width of the lower end", () => {
  expect(names("dgx[008-010,3]")).toEqual(["dgx008", "dgx009", "dgx010", "dgx3"]);
  expect(names("n[9-11]")).toEqual(["n9", "n10", "n11"]);
});

test("names, brackets and blanks mix, and what follows a bracket is kept", () => {
  expect(names("login1, r[1-2]n[1-2] ,gpu[1,3]-ib")).toEqual(
    "login1 r1n1 r1n2 r2n1 r2n2 gpu1-ib gpu3-ib".split(" "),
  );
  expect(names("")).toEqual([]);
});

test("a list that is none, or that names too many, is an error and makes nothing", () => {
  for (const text of ["n[1-3", "n1]", "n[a-b]", "n[3-1]", "a b", "n[1-100000]"])
    expect(expandHostlist(text).ok, text).toBe(false);
  expect(expandHostlist("r[1-9999]n[1-9999]").ok).toBe(false);
  expect(expandHostlist("n[1-5]", 4).ok).toBe(false);
});

test("what is compressed expands to the same names", () => {
  expect(compressHostlist(["n1", "n2", "n3", "n7", "login", "n08", "n09", "n10"])).toBe(
    "n[1-3,7],login,n[08-10]",
  );
  const name = fc.stringMatching(/^[a-c]{1,2}(0{0,2}[0-9]{1,3})?$/);
  const property = fc.property(fc.array(name, { maxLength: 30 }), (list) => {
    expect(names(compressHostlist(list))).toEqual(list);
  });
  fc.assert(property, { numRuns: 200 });
});
