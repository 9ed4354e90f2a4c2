/** Which format a file has, by what is in it; its name says nothing reliable. */
import { csvColumns } from "./csv.ts";
import { sacctLayout } from "./sacct.ts";

const SAMPLE_BYTES = 256 * 1_024;
const SWF_LEAST_FIELDS = 18;

/** The format key of unpacked bytes, or null. O(1): looks at the first 256 KiB. */
export function detectFormat(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES));
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "");
  if (first === undefined) return null;
  const columns = csvColumns(first);
  if (
    ["job_id", "submission_time", "duration", "num_gpu"].every((column) => columns.includes(column))
  ) {
    return columns.includes("deadline") ? "itp-ef" : "itp-raw";
  }
  const pods = ["cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time"];
  if (pods.every((column) => columns.includes(column))) return "openb-pod";
  return detectSwf(lines) ?? sacctLayout(bytes)?.format ?? null;
}

/** SWF has at least 18 blank-separated numbers a row; the extension has more columns, and may have a line of names first. */
function detectSwf(lines: readonly string[]): string | null {
  const data = lines.filter((line) => line !== "" && !line.startsWith(";")).slice(0, 3);
  for (const line of data) {
    const fields = line.split(/\s+/);
    if (fields.length < SWF_LEAST_FIELDS) continue;
    if (!fields.slice(0, SWF_LEAST_FIELDS).every((field) => Number.isFinite(Number(field))))
      continue;
    return fields.length > SWF_LEAST_FIELDS ? "swf-ext" : "swf";
  }
  return null;
}
