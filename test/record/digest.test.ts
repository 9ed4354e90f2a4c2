import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { RunDigest } from "../../src/record/digest.ts";

function fill(digest: RunDigest, from: number, to: number): RunDigest {
  for (let i = from; i < to; i++) digest.row(i, 1, 1, 0, 1, 4, i * 17, i * 1_000, i * 1_000 + 500);
  return digest;
}

test("the digest is SHA-256 over rows of 32 bytes, little endian", () => {
  const row = new DataView(new ArrayBuffer(32));
  row.setUint32(0, 7, true);
  row.setUint16(4, 2, true);
  row.setUint8(6, 1);
  row.setUint8(7, 1);
  row.setUint8(8, 3);
  row.setUint16(10, 64, true);
  row.setUint32(12, 0xdeadbeef, true);
  row.setFloat64(16, 1_500, true);
  row.setFloat64(24, 2 ** 40 + 1, true);
  const digest = new RunDigest();
  digest.row(7, 2, 1, 1, 3, 64, 0xdeadbeef, 1_500, 2 ** 40 + 1);
  expect(digest.hex()).toBe(bytesToHex(sha256(new Uint8Array(row.buffer))));
});

test("a copy goes on by itself, wherever the buffer stood", () => {
  const straight = fill(new RunDigest(), 0, 1_000).hex();
  for (const at of [0, 1, 127, 128, 129, 700]) {
    const original = fill(new RunDigest(), 0, at);
    const copy = original.copy();
    fill(original, 5, 9);
    expect(fill(copy, at, 1_000).hex()).toBe(straight);
  }
});

test("every field of a row counts", () => {
  const base = [1, 1, 1, 0, 1, 4, 9, 1_000, 2_000] as const;
  const digests = base.map((_, field) => {
    const digest = new RunDigest();
    const [a, b, c, d, e, f, g, h, i] = base.map((value, at) => (at === field ? value + 1 : value));
    digest.row(a!, b!, c!, d!, e!, f!, g!, h!, i!);
    return digest.hex();
  });
  expect(new Set(digests).size).toBe(base.length);
});
