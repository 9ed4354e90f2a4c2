/**
 * Workloads of documents that were read here. Most edits change the list of changes and nothing else, and a hundred thousand jobs that are spelled out take
 * longer to cross and to be checked than their future takes to run: the page then names the workload by its number. What is let go is asked for again.
 */
import { isJsonObject, sameJson } from "../base/json.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { SentWorkload } from "../protocol/messages.ts";
import { readScenario, readScenarioText } from "../scenario/read.ts";
import { SCENARIO_VERSION, type Scenario } from "../scenario/schema.ts";

/** The open one, and the one that Undo of opening goes back to. */
const KEPT = 2;

export class Workloads {
  /** By number, the one used last at the end. */
  readonly #kept = new Map<number, Scenario["workload"]>();

  /** Reads a document as it crossed; null where its workload is not here any more. O(document), without the workload where that is known. */
  read(document: Scenario, sent: SentWorkload | undefined): Result<Scenario, Problem[]> | null {
    if (!sent) return readScenario(document);
    const known = this.#kept.get(sent.key);
    if (!sent.whole && !known) return null;
    const read = readScenario(document, sent.whole ? null : (known ?? null));
    if (read.ok) this.#keep(sent.key, read.value.workload);
    return read;
  }

  /**
   * Reads the text of a document and keeps its workload under this number; `known` is that of the same one, where it is here and the page has it too (`have`).
   * Comparing takes a tenth of checking. O(text).
   */
  readText(
    text: string,
    key: number,
    have: readonly number[],
    most?: number,
  ): { readonly read: Result<Scenario, Problem[]>; readonly known: number | null } {
    let known: number | null = null;
    const read = readScenarioText(
      text,
      (document) => {
        if (!isJsonObject(document) || document.version !== SCENARIO_VERSION) return null;
        for (const [number, workload] of this.#kept) {
          if (!have.includes(number) || !sameJson(document.workload, workload)) continue;
          known = number;
          return workload;
        }
        return null;
      },
      most,
    );
    if (read.ok) this.#keep(known ?? key, read.value.workload);
    return { read, known };
  }

  #keep(key: number, workload: Scenario["workload"]): void {
    this.#kept.delete(key);
    this.#kept.set(key, workload);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Parsing so many jobs takes the page a few milliseconds. */
const JOBS_A_PIECE = 2_000;

/** A document as it goes to the page: its jobs apart, in pieces; nothing of its workload where the page has it under a number. O(document). */
export function inPieces(
  scenario: Scenario,
  known: number | null,
): { readonly json: string; readonly jobs: ArrayBuffer[]; readonly known: number | null } {
  const { jobs } = scenario.workload;
  const workload = known === null ? { ...scenario.workload, jobs: [] } : NO_WORKLOAD;
  const pieces: ArrayBuffer[] = [];
  const text = new TextEncoder();
  for (let from = 0; known === null && from < jobs.length; from += JOBS_A_PIECE)
    pieces.push(text.encode(JSON.stringify(jobs.slice(from, from + JOBS_A_PIECE))).buffer);
  return { json: JSON.stringify({ ...scenario, workload }), jobs: pieces, known };
}

const NO_WORKLOAD: Scenario["workload"] = { jobs: [], synthetic: [] };
