import { expect, test } from "vitest";
import { crc32 } from "../../src/base/crc32.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("the check value of the standard, and the same in two parts", () => {
  expect(crc32(bytes("123456789"))).toBe(0xcbf43926);
  expect(crc32(bytes("6789"), crc32(bytes("12345")))).toBe(0xcbf43926);
});
