import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpack } from "../../src/formats/gunzip.ts";

const text = new TextEncoder().encode("1 0 -1 60 4\n".repeat(500));

test("what was packed comes back, in one member or two", () => {
  const packed = new Uint8Array(gzipSync(text));
  expect(unpack(packed, "log.gz")).toEqual({ ok: true, value: text });
  const twice = unpack(new Uint8Array(Buffer.concat([packed, packed])), "log.gz");
  expect(twice.ok && twice.value.length).toBe(2 * text.length);
});

test("a byte that changed on the way is noticed, also where the length stays", () => {
  // Stored, not compressed: every flipped byte unpacks to the same length.
  const packed = new Uint8Array(gzipSync(text, { level: 0 }));
  packed[200] = packed[200]! ^ 1;
  expect(unpack(packed, "log.gz")).toMatchObject({ ok: false, error: [{ place: "log.gz" }] });
});

test("a file cut short is told apart from one that unpacks to too much", () => {
  const packed = new Uint8Array(gzipSync(text));
  const short = unpack(packed.subarray(0, packed.length - 9), "log.gz");
  const large = unpack(packed, "log.gz", 1_000);
  expect(!short.ok && short.error[0]!.message).toContain("cut short");
  expect(!large.ok && large.error[0]!.message).toContain("larger than");
});
