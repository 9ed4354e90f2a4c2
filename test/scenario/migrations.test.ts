import fc from "fast-check";
import { expect, test } from "vitest";
import { upgrade } from "../../src/scenario/migrations/upgrade.ts";

test("every JSON value is upgraded or refused", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const result = upgrade(value as never);
      if (result.ok) expect((result.value as { version: number }).version).toBe(1);
    }),
  );
});

test("a document of today's version is left as it is", () => {
  const document = { version: 1, title: "x" };
  expect(upgrade(document)).toEqual({ ok: true, value: document });
});

test("a document of a later version is refused with the version that is known", () => {
  expect(upgrade({ version: 9 })).toEqual({
    ok: false,
    error: { kind: "tooNew", version: 9, known: 1 },
  });
});
