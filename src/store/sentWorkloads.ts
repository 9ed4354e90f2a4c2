/**
 * What the page sends of a document: its workload only where the worker has not read it before (`worker/workloads.ts`). Documents never change, so the same
 * object is the same workload.
 */
import type { OpenOutcome, SentOutcome, SentStage, SentWorkload } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";

const NONE: Scenario["workload"] = { jobs: [], synthetic: [] };

export class SentWorkloads {
  readonly #keys = new WeakMap<Scenario["workload"], number>();
  #next = 1;
  /** Numbers that the worker has been told. */
  readonly #told = new Set<number>();

  /** `again`: the worker has let it go. O(1). */
  of(document: Scenario, again = false): readonly [Scenario, SentWorkload] {
    const { workload } = document;
    let key = this.#keys.get(workload);
    if (key === undefined) {
      key = this.#next++;
      this.#keys.set(workload, key);
    }
    const whole = again || !this.#told.has(key);
    return [whole ? document : { ...document, workload: NONE }, { key, whole }];
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
