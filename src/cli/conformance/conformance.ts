/**
 * `conformance PATH…`: runs every recorded truth file below the paths. The file's `schema` field picks the reader. One line a case on
 * standard output, the sum on the last. A file that cannot be read or has an unknown schema fails; nothing is passed over.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileMessage } from "../files.ts";
import { type CaseOutcome, lineOf, type TruthFile } from "./outcome.ts";
import { TRUTH_READERS } from "./readers.ts";

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs all cases, handing each line to `print` as soon as it is known; `verbose` adds what a reader says of each case. */
export function conformance(
  paths: readonly string[],
  print: (line: string) => void,
  verbose = false,
): Totals {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const outcome of paths.flatMap(outcomesBelow)) {
    for (const one of outcome()) {
      print(lineOf(one));
      if (verbose && one.kind !== "skip") for (const line of one.details?.() ?? []) print(line);
      if (one.kind === "pass") totals.passed++;
      else if (one.kind === "fail") totals.failed++;
      else totals.skipped++;
    }
  }
  print(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals;
}

type Outcomes = () => Iterable<CaseOutcome>;

function outcomesBelow(path: string): Outcomes[] {
  let files: string[];
  try {
    files = truthFilesBelow(path);
  } catch (error) {
    return [() => [{ kind: "fail", id: path, message: fileMessage(error) }]];
  }
  if (files.length === 0)
    return [() => [{ kind: "fail", id: path, message: "no truth file is below this path" }]];
  return files.map((file) => () => outcomesOf(file, file === path));
}

/** JSON files hold one recording or a list of cases, JSON Lines one case a line; tables beside them belong to an index. */
function truthFilesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => {
      const inner = join(path, name);
      if (statSync(inner).isDirectory()) return truthFilesBelow(inner);
      return /\.jsonl?$/i.test(name) ? [inner] : [];
    });
}

function* outcomesOf(path: string, named: boolean): Iterable<CaseOutcome> {
  const stem = basename(path).replace(/\.jsonl?$/i, "");
  let contents: unknown[];
  try {
    contents = parse(path);
  } catch (error) {
    yield { kind: "fail", id: stem, message: `${path} cannot be read: ${fileMessage(error)}` };
    return;
  }
  for (const content of contents) {
    yield* outcomesOfContent({ path, folder: dirname(path), stem, content }, named);
  }
}

function parse(path: string): unknown[] {
  const text = readFileSync(path, "utf8");
  if (!/\.jsonl$/i.test(path)) return [JSON.parse(text)];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Error("the file is empty");
  return lines.map((line) => JSON.parse(line) as unknown);
}

function* outcomesOfContent(file: TruthFile, named: boolean): Iterable<CaseOutcome> {
  const schema = (file.content as { schema?: unknown } | null)?.schema;
  if (schema === undefined && !named) {
    yield { kind: "skip", id: file.stem, why: "it has no schema field: data beside recordings" };
    return;
  }
  const reader = Object.hasOwn(TRUTH_READERS, String(schema))
    ? TRUTH_READERS[String(schema)]
    : undefined;
  if (reader === undefined) {
    yield { kind: "fail", id: file.stem, message: `${file.path} has the unknown schema ${schema}` };
    return;
  }
  try {
    yield* reader(file);
  } catch (error) {
    yield {
      kind: "fail",
      id: file.stem,
      message: `the reader failed: ${(error as Error).message}`,
    };
  }
}
