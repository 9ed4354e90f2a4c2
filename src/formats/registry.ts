/** All readers of foreign workloads by format key, and the one way in: bytes → unpacked → detected → read. */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err } from "../base/result.ts";
import { detectFormat } from "./detect.ts";
import type { ForeignWorkload, Reader } from "./foreign.ts";
import { unpack } from "./gunzip.ts";
import { readItp } from "./itp.ts";
import { readOpenb } from "./openb.ts";
import { readSacct } from "./sacct.ts";
import { readSwf } from "./swf.ts";
import { asUtf8 } from "./text.ts";

export const READERS: Readonly<Record<string, Reader>> = {
  swf: readSwf,
  "swf-ext": readSwf,
  "itp-raw": readItp,
  "itp-ef": readItp,
  "openb-pod": readOpenb,
  sacct: readSacct,
  "sacct-noheader": readSacct,
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
  const text = asUtf8(unpacked.value);
  if (text.length === 0) return err([isEmpty(name)]);
  const key = format ?? detectFormat(text);
  const reader = key !== null && Object.hasOwn(READERS, key) ? READERS[key] : undefined;
  if (reader !== undefined) return reader(text, name);
  const known = Object.keys(READERS).join(", ");
  return err([
    key === null || format === undefined
      ? {
          place: name,
          message: "The format of the file is not known.",
          remedy:
            "These are read: job logs in the Standard Workload Format (SWF), CSV of GPU jobs (columns job_id, submission_time, duration, num_gpu), pod lists of Alibaba's GPU trace of 2023, job accounting of Slurm (sacct --parsable2), files of a Slurm cluster (slurm.conf, gres.conf, topology.conf, sacctmgr), and scenarios in JSON; logs may be packed with gzip. YAML of Kubernetes objects belongs to a policy: press P, choose its preset, and paste it under YAML.",
        }
      : {
          place: name,
          message: `There is no reader for "${format}".`,
          remedy: `Use one of: ${known}.`,
        },
  ]);
}

function isEmpty(name: string): Problem {
  return {
    place: name,
    message: "The file is empty.",
    remedy: "Download or copy the file again.",
  };
}
