/** What a study is, and how its tables reach its page. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Study {
  /** Also the name of its page, `docs/studies/NAME.md`. */
  readonly name: string;
  /** Traces that it reads, relative to the folder of traces. */
  readonly traces?: readonly string[];
  /** The Markdown between the markers. `say` tells of progress. */
  readonly run: (folder: string, say: (line: string) => void) => string | Promise<string>;
}

const BEGIN = "<!-- computed by the study -->";
const END = "<!-- end -->";

/** Computes a study and writes its page's tables. False, and a message, where a trace is missing. Throws where the page has no markers. */
export async function runStudy(
  study: Study,
  root: string,
  traces: string,
  say: (line: string) => void,
): Promise<boolean> {
  const missing = (study.traces ?? []).find((trace) => !existsSync(join(traces, trace)));
  if (missing !== undefined) {
    say(`${study.name}: skipped, ${missing} is not in ${traces}`);
    return false;
  }
  const path = join(root, "docs", "studies", `${study.name}.md`);
  const page = readFileSync(path, "utf8");
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`${path} has no markers for its tables`);
  const body = (await study.run(traces, say)).trim();
  writeFileSync(path, `${page.slice(0, from + BEGIN.length)}\n\n${body}\n\n${page.slice(to)}`);
  say(`${study.name}: written`);
  return true;
}

/** A Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
