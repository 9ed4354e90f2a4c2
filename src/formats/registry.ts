/** All readers of foreign workloads by format key, and the one way in: bytes → unpacked → detected → read. */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err } from "../base/result.ts";
import { detectFormat } from "./detect.ts";
import type { ForeignWorkload, Reader } from "./foreign.ts";
import { unpack } from "./gunzip.ts";
import { readItp } from "./itp.ts";
import { readSwf } from "./swf.ts";

export const READERS: Readonly<Record<string, Reader>> = {
  swf: readSwf,
  "swf-ext": readSwf,
  "itp-raw": readItp,
  "itp-ef": readItp,
};

/**
 * Reads a workload file, packed or not. `format` overrides the detection. Never throws on bad input: problems name the
 * place and a remedy. Called by worker (dropped files) and CLI (`facts`, `run`).
 */
export function readForeign(
  bytes: Uint8Array,
  name: string,
  format?: string,
): Result<ForeignWorkload, Problem[]> {
  const unpacked = unpack(bytes, name);
  if (!unpacked.ok) return unpacked;
  const key = format ?? detectFormat(unpacked.value);
  const reader = key !== null && Object.hasOwn(READERS, key) ? READERS[key] : undefined;
  if (reader !== undefined) return reader(unpacked.value, name);
  const known = Object.keys(READERS).join(", ");
  return err([
    key === null || format === undefined
      ? {
          place: name,
          message: "The format of the file is not known.",
          remedy: `These formats are read: ${known}.`,
        }
      : {
          place: name,
          message: `There is no reader for "${format}".`,
          remedy: `Use one of: ${known}.`,
        },
  ]);
}
