/**
 * Workloads of documents that were read here. Most edits change the list of changes and nothing else, and a hundred thousand jobs that are spelled out take
 * longer to cross and to be checked than their future takes to run: the page then names the workload by its number. What is let go is asked for again.
 */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { SentWorkload } from "../protocol/messages.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";

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

  #keep(key: number, workload: Scenario["workload"]): void {
    this.#kept.delete(key);
    this.#kept.set(key, workload);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
