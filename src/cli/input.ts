/**
 * INPUT of `run`: a scenario file, a scenario link (`#s=…`, alone or behind an address), a scenario of the library (`library:ID`), or a
 * workload file of any format that has a reader. What a file is is told by its content. A workload gets the machine that the page would suggest for it, so both give one digest.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { noteSentences } from "../formats/foreign.ts";
import { isGzip } from "../formats/gunzip.ts";
import { readForeign } from "../formats/registry.ts";
import { asUtf8, decodeText } from "../formats/text.ts";
import { decodeScenario } from "../scenario/codec.ts";
import { LIBRARY, libraryScenario } from "../scenario/library/index.ts";
import { readScenarioText } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { suggestScenario } from "../workload/suggest.ts";
import { fellShort, say, wrongCall } from "./fail.ts";
import { readBytes } from "./files.ts";
import { gunzipFast } from "./gunzipFast.ts";

export interface RunInput {
  readonly scenario: Scenario;
  /** The trace that the scenario names, read. */
  readonly trace: ParsedWorkload | undefined;
}

export interface Workload {
  readonly identity: { readonly name: string; readonly sha256: string; readonly bytes: number };
  readonly parsed: ParsedWorkload;
}

/** `traceFile` says where the trace of a scenario lies; else it is looked for beside the scenario and in the working folder. */
export function loadInput(input: string, traceFile: string | undefined): RunInput {
  const link = linkPayload(input);
  if (link !== null) {
    const decoded = decodeScenario(link, libraryScenario);
    if (!decoded.ok) throw fellShort(decoded.error);
    return withTrace(decoded.value.scenario, ".", traceFile);
  }
  if (input.startsWith("library:")) return { scenario: fromLibrary(input), trace: undefined };
  const bytes = readBytes(input);
  if (looksLikeJson(bytes)) {
    const { text, guessed } = decodeText(bytes);
    if (guessed) say(`${input}: not UTF-8; its letters were read as Windows-1252`);
    const read = readScenarioText(text);
    if (!read.ok) throw fellShort(read.error);
    return withTrace(read.value, dirname(input), traceFile);
  }
  const { identity, parsed } = workloadOf(bytes, basename(input));
  return { scenario: suggestScenario(identity, parsed).scenario, trace: parsed };
}

function fromLibrary(input: string): Scenario {
  const scenario = libraryScenario(input.slice("library:".length));
  if (scenario !== undefined) return scenario;
  const known = LIBRARY.map((entry) => `library:${entry.id}`).join(", ");
  throw wrongCall(`There is no ${input}; there are: ${known}`);
}

/** Reads a workload file and reports on standard error what it could not use. */
export function loadWorkload(path: string, format?: string): Workload {
  return workloadOf(readBytes(path), basename(path), format);
}

function workloadOf(bytes: Uint8Array<ArrayBuffer>, name: string, format?: string): Workload {
  const read = readForeign(gunzipFast(bytes), name, format);
  if (!read.ok) throw fellShort(read.error);
  const { workload } = read.value;
  for (const note of [...noteSentences(workload.skipped), ...noteSentences(workload.noted)]) {
    say(`${name}: ${note}`);
  }
  for (const warning of workload.warnings) say(`${name}: ${warning}`);
  const identity = {
    name,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
  };
  return { identity, parsed: workload };
}

function withTrace(scenario: Scenario, folder: string, traceFile: string | undefined): RunInput {
  const { trace } = scenario.workload;
  if (trace === undefined) {
    if (traceFile !== undefined)
      throw wrongCall("--trace is given, but the scenario names no trace");
    return { scenario, trace: undefined };
  }
  const places = traceFile === undefined ? [join(folder, trace.name), trace.name] : [traceFile];
  const path = places.find((place) => existsSync(place));
  if (path === undefined) {
    throw wrongCall(
      `The scenario needs the trace "${trace.name}" (${trace.bytes} bytes, SHA-256 ${trace.sha256}); say where it is with --trace FILE`,
    );
  }
  const { identity, parsed } = loadWorkload(path, trace.format);
  if (identity.sha256 !== trace.sha256) {
    throw wrongCall(
      `${path} is not the trace that the scenario names: its SHA-256 is ${identity.sha256}, not ${trace.sha256}`,
    );
  }
  return { scenario, trace: parsed };
}

/** The text behind `#s=`, up to the next part of the fragment; null where the input is no link. */
function linkPayload(input: string): string | null {
  const match = /^(?:https?:\/\/[^#]*)?#(?:.*&)?s=([^&]*)/.exec(input);
  if (match?.[1] === undefined) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    // A stray % : the codec says that the link is damaged.
    return match[1];
  }
}

/** The digest that a link promises, as far as it gives it; null where the input is no link or gives none. */
export function linkDigest(input: string): string | null {
  return /^(?:https?:\/\/[^#]*)?#(?:.*&)?d=([0-9a-f]+)/.exec(input)?.[1] ?? null;
}

function looksLikeJson(bytes: Uint8Array): boolean {
  if (isGzip(bytes)) return false;
  return /^\s*\{/.test(new TextDecoder().decode(asUtf8(bytes.subarray(0, 1_024))));
}
