/** Which file of a Slurm cluster a text is, by what is in it; its name says nothing reliable. */
import { accountingLines } from "./accountingText.ts";
import type { ConfLine } from "./lex.ts";
import { confLines, keyOf } from "./lex.ts";
import { parameterNamed } from "./parameters.ts";
import type { SlurmFiles } from "./report.ts";

/** Lines that are looked at; enough to get past a long comment of keys that few know. */
const SAMPLE_LINES = 400;

/** The field of the document that a text belongs to, or null. O(first lines). */
export function detectSlurmFile(text: string): keyof SlurmFiles | null {
  if (text.includes("\u0000") || /^\s*[[{<]/.test(text)) return null;
  const lines = confLines(sampleOf(text));
  const accounting = accountingLines(sampleOf(text));
  const commands = accounting.filter((line) => line.command !== null).length;
  if (commands > 0 && commands * 2 >= accounting.length) return "accounting";
  const firsts = lines.map((line) => keyOf(line.pairs[0]?.key ?? ""));
  const count = (...keys: readonly string[]): number =>
    firsts.filter((key) => keys.includes(key)).length;
  if (lines.length === 0 || lines.every((line) => line.pairs.length === 0)) return null;
  const half = lines.length / 2;
  if (count("switchname", "blockname", "blocksizes") >= half) return "topology";
  if (lines.filter(isGresLine).length >= half) return "gres";
  const known = lines.filter(isConfLine).length;
  return known > 0 && known >= half ? "conf" : null;
}

function sampleOf(text: string): string {
  let end = -1;
  for (let lines = 0; lines < SAMPLE_LINES * 4; lines += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

/** `Name=gpu …`, `NodeName=… Name=gpu …`, `AutoDetect=nvml`. */
function isGresLine(line: ConfLine): boolean {
  const keys = line.pairs.map((pair) => keyOf(pair.key));
  return keys.includes("autodetect") || keys.includes("name");
}

function isConfLine(line: ConfLine): boolean {
  const [first] = line.pairs;
  if (first === undefined) return keyOf(line.rest).startsWith("include ");
  const naming = ["nodename", "partitionname", "nodeset", "downnodes", "frontendname"];
  return naming.includes(keyOf(first.key)) || parameterNamed("global", first.key) !== undefined;
}
