/**
 * What the page sends of a document: its workload only where the worker has not read it before (`worker/workloads.ts`). Documents never change, so the same
 * object is the same workload.
 */
import type {
  DocumentOutcome,
  OpenOutcome,
  SentOutcome,
  SentStage,
  SentWorkload,
} from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";

const NONE: Scenario["workload"] = { jobs: [], synthetic: [] };

/** A document that the worker has checked. */
export type DocumentRead =
  | { readonly kind: "read"; readonly scenario: Scenario; readonly guessed: boolean }
  | Extract<DocumentOutcome, { kind: "problems" }>;

export class SentWorkloads {
  readonly #keys = new WeakMap<Scenario["workload"], number>();
  readonly #byKey = new Map<number, WeakRef<Scenario["workload"]>>();
  #next = 1;
  /** Numbers that the worker has been told. */
  readonly #told = new Set<number>();

  /** `again`: the worker has let it go. O(1). */
  of(document: Scenario, again = false): readonly [Scenario, SentWorkload] {
    const { workload } = document;
    let key = this.#keys.get(workload);
    if (key === undefined) {
      key = this.#next++;
      this.#note(workload, key);
    }
    const whole = again || !this.#told.has(key);
    return [whole ? document : { ...document, workload: NONE }, { key, whole }];
  }

  /** The document that the worker read and keeps the workload of: put together in turns, of the objects that are here already where its workload is the same. */
  async read(
    read: (key: number, have: readonly number[]) => Promise<DocumentOutcome>,
  ): Promise<DocumentRead> {
    const key = this.#next++;
    const here = new Map<number, Scenario["workload"]>();
    for (const [number, kept] of this.#byKey) {
      const workload = kept.deref();
      if (workload) here.set(number, workload);
    }
    const outcome = await read(key, [...here.keys()]);
    if (outcome.kind === "problems") return outcome;
    const { json, jobs, known, guessed } = outcome;
    const rest = JSON.parse(json) as Scenario;
    let workload = known === null ? undefined : here.get(known);
    if (!workload) {
      workload = { ...rest.workload, jobs: await parsedInTurns(jobs) };
      this.#note(workload, key);
      this.#told.add(key);
    }
    return { kind: "read", scenario: { ...rest, workload }, guessed };
  }

  #note(workload: Scenario["workload"], key: number): void {
    this.#keys.set(workload, key);
    this.#byKey.set(key, new WeakRef(workload));
    for (const [old, kept] of this.#byKey) if (!kept.deref()) this.#byKey.delete(old);
  }

  /** Opens a document, once more and whole where the worker has let its workload go. */
  async open(
    scenario: Scenario,
    open: (document: Scenario, workload: SentWorkload) => Promise<SentOutcome>,
  ): Promise<OpenOutcome<SentStage>> {
    for (let again = false; ; again = true) {
      const [document, workload] = this.of(scenario, again);
      const outcome = await open(document, workload);
      if (outcome.kind === "workloadNeeded") continue;
      if (outcome.kind !== "problems") this.#told.add(workload.key);
      return outcome;
    }
  }

  /** Another worker knows nothing. */
  forget(): void {
    this.#told.clear();
  }
}

/** Jobs of a document that comes in pieces; a turn for each. */
async function parsedInTurns(
  pieces: readonly ArrayBuffer[],
): Promise<Scenario["workload"]["jobs"]> {
  const jobs: Scenario["workload"]["jobs"] = [];
  const text = new TextDecoder();
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve));
    for (const job of JSON.parse(text.decode(piece)) as Scenario["workload"]["jobs"])
      jobs.push(job);
  }
  return jobs;
}
