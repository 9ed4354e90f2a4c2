import fc from "fast-check";
import { expect, test } from "vitest";
import type { View } from "../../src/store/viewCode.ts";
import { decodeView, encodeView } from "../../src/store/viewCode.ts";

const ms = fc.integer({ min: 0, max: 2 ** 40 });
const view: fc.Arbitrary<View> = fc.record({
  cursorMs: ms,
  window: fc
    .record({ fromMs: ms, length: fc.integer({ min: 1_000, max: 2 ** 30 }) })
    .map(({ fromMs, length }) => ({ fromMs, toMs: fromMs + length })),
  selection: fc.oneof(
    fc.constant(null),
    fc.nat().map((jobIdx) => ({ kind: "job" as const, jobIdx })),
    fc.nat().map((node) => ({ kind: "node" as const, node })),
    fc.nat().map((device) => ({ kind: "gpu" as const, device })),
    fc.nat().map((leaf) => ({ kind: "leaf" as const, leaf })),
    fc.nat().map((team) => ({ kind: "team" as const, team })),
    fc.nat().map((decision) => ({ kind: "decision" as const, decision })),
    fc.tuple(fc.nat(), fc.nat()).map(([jobIdx, decision]) => ({
      kind: "job" as const,
      jobIdx,
      decision,
    })),
  ),
});

test("a view survives its link", () => {
  fc.assert(
    fc.property(view, (one) => {
      expect(decodeView(encodeView(one))).toEqual(one);
    }),
  );
});

test("links of before, which name a job or a node alone, still mean what they meant", () => {
  expect(decodeView("1.c1.f0.t3uw.jz")?.selection).toEqual({ kind: "job", jobIdx: 35 });
  expect(decodeView("1.c1.f0.t3uw.n2")?.selection).toEqual({ kind: "node", node: 2 });
  expect(decodeView("1.c1.f0.t3uw.jz.e1")?.selection).toEqual({
    kind: "job",
    jobIdx: 35,
    decision: 1,
  });
});

test("a drawer and levels of detail chosen by hand survive it, unknown parts are passed over", () => {
  const plain = { cursorMs: 1, window: { fromMs: 0, toMs: 5_000 }, selection: null };
  const panels = { drawer: "ganttTable", leafLevels: { 0: 2, 7: 0, 100: 1 } } as const;
  const text = encodeView({ ...plain, panels });
  expect(text).toBe("1.c1.f0.t3uw.d2.l2.ll.l8d");
  expect(decodeView(text)).toEqual({ ...plain, panels });
  expect(decodeView(`${encodeView(plain)}.z9.d9`)).toEqual(plain);
});

test("a comparison stands in a part of its own, which links of before do not have", () => {
  const plain = { cursorMs: 1, window: { fromMs: 0, toMs: 5_000 }, selection: null };
  const panels = { drawer: "none", leafLevels: {}, comparing: true } as const;
  expect(encodeView({ ...plain, panels })).toBe("1.c1.f0.t3uw.v1");
  expect(decodeView("1.c1.f0.t3uw.v1")).toEqual({ ...plain, panels });
  expect(decodeView("1.c1.f0.t3uw")?.panels).toBeUndefined();
});

test("whatever stands in w, reading it never throws and never gives a window without length", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `1.c0.f${text}`),
        fc.constant("1.c1.f9.t9"),
      ),
      (text) => {
        const read = decodeView(text);
        expect(read === null || read.window.toMs > read.window.fromMs).toBe(true);
      },
    ),
  );
});

test("a window of centuries or of a millisecond is not shown: drawing it would hold up the page", () => {
  expect(decodeView("1.c0.f0.tzzzzzzzzzz")).toBeNull();
  expect(decodeView("1.c0.f5.t6")?.window).toEqual({ fromMs: 5, toMs: 1_005 });
});

test("a view of a later version is ignored", () => {
  expect(decodeView("2.c0.f0.t9")).toBeNull();
});

test("what rows are, a marked stretch and bookmarks survive it", () => {
  const plain = { cursorMs: 1, window: { fromMs: 0, toMs: 5_000 }, selection: null };
  const panels = {
    drawer: "none",
    leafLevels: {},
    grouping: "team",
    range: { fromMs: 100, toMs: 2_000 },
    bookmarks: [
      { atMs: 7, text: "" },
      { atMs: 40, toMs: 90, text: "Größe & <b>.~Z ✓" },
    ],
  } as const;
  expect(decodeView(encodeView({ ...plain, panels }))).toEqual({ ...plain, panels });
  expect(encodeView({ ...plain, panels })).toMatch(/^[\w.-]+$/);
});
