/**
 * Unpacks gzip files, told apart by their magic bytes and never by their name. The output is capped, so that a small file
 * cannot fill the memory, and a file that was cut short or damaged gets a message of its own: the library does not compare
 * checksum and length, so that is done here.
 */
import { Gunzip } from "fflate";
import { crc32 } from "../base/crc32.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";

/** Gzip expands at most about 1,032 times; small slices keep what one step can produce below a few MiB past the cap. */
const SLICE_BYTES = 16 * 1_024;
/** The last eight bytes of a member: checksum and length. */
const TRAILER_BYTES = 8;
const LEAST_BYTES = 18;
const MIB = 1_024 * 1_024;

/** Whether the bytes begin as a gzip member does (RFC 1952). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

class TooLarge extends Error {}

/** The bytes of a file, unpacked where it is a gzip file. O(unpacked bytes). */
export function unpack(
  bytes: Uint8Array,
  name: string,
  mostBytes: number = LIMITS.traceBytes,
): Result<Uint8Array, Problem[]> {
  if (!isGzip(bytes))
    return bytes.length > mostBytes ? err([tooLarge(name, mostBytes)]) : ok(bytes);
  if (bytes.length < LEAST_BYTES) return err([cutShort(name)]);
  const parts: Uint8Array[] = [];
  let total = 0;
  let checksum = 0;
  let members = 1;
  const stream = new Gunzip((part) => {
    total += part.length;
    if (total > mostBytes) throw new TooLarge();
    checksum = crc32(part, checksum);
    parts.push(part);
  });
  stream.onmember = () => members++;
  try {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      const end = Math.min(bytes.length, from + SLICE_BYTES);
      stream.push(bytes.subarray(from, end), end === bytes.length);
    }
  } catch (error) {
    return err([error instanceof TooLarge ? tooLarge(name, mostBytes) : cutShort(name)]);
  }
  if (members === 1 && !agrees(bytes, checksum, total)) return err([cutShort(name)]);
  return ok(join(parts, total));
}

/** Whether the trailer holds this checksum and length. A file of several members has a trailer for each; those are not compared. */
function agrees(bytes: Uint8Array, checksum: number, total: number): boolean {
  const at = bytes.byteOffset + bytes.length - TRAILER_BYTES;
  const trailer = new DataView(bytes.buffer, at, TRAILER_BYTES);
  return trailer.getUint32(0, true) === checksum && trailer.getUint32(4, true) === total % 2 ** 32;
}

function join(parts: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function cutShort(name: string): Problem {
  return {
    place: name,
    message: "The compressed file is damaged or was cut short.",
    remedy: "Download or copy the file again.",
  };
}

function tooLarge(name: string, mostBytes: number): Problem {
  return {
    place: name,
    message: `The file is larger than ${Math.floor(mostBytes / MIB)} MiB when unpacked.`,
    remedy: "Cut the file into parts.",
  };
}
