import { describe, expect, test } from "vitest";
import { decodeMade, difference, encodeMade } from "../../src/store/madeWith.ts";

const made = { digest: "0123abcd", engine: 4, meanWaitMs: 726_000 };

describe("what a link says of its run", () => {
  test("is its digest, its engine and its mean wait", () => {
    expect(encodeMade(made)).toBe("0123abcd.4.5lo");
    expect(decodeMade("0123abcd.4.5lo")).toEqual(made);
    expect(decodeMade(encodeMade({ ...made, meanWaitMs: null }))).toEqual({
      ...made,
      meanWaitMs: null,
    });
  });

  test("is the digest alone in links from before, and nothing in what is none", () => {
    expect(decodeMade("0123abcd")).toEqual({ digest: "0123abcd", engine: null, meanWaitMs: null });
    expect(decodeMade("x.y.%").engine).toBeNull();
  });
});

describe("what a reader is told", () => {
  test("nothing where the run is the same, whatever the engine", () => {
    expect(difference(made, { ...made, engine: 5 })).toBeNull();
  });

  test("both engines and both mean waits where another engine came to other results", () => {
    const words = difference(made, { digest: "89ef4567", engine: 5, meanWaitMs: 708_000 });
    expect(words?.title).toBe(
      "Made with engine 4; recomputed with engine 5: mean wait 12.1 → 11.8 min.",
    );
    expect(words?.detail).toContain("0123abcd");
  });

  test("the digests where the link does not say which engine it was", () => {
    const words = difference({ ...made, engine: null }, { ...made, digest: "89ef4567" });
    expect(words?.detail).toContain("89ef4567");
  });
});
