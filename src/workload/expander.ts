/**
 * Expands a document again after an edit. Interventions are what edits change, and most of them touch no job: the jobs of the last
 * expansion are then taken over as they are, with the cluster; where a job is injected, those before it are copied and not drawn anew. The result is the
 * same as that of `expand`, which `test/workload/expander.test.ts` holds for chains of edits. Past `JOBS_COPIED` jobs the copy is not kept, for it takes
 * a hundred bytes a job and more.
 */

import { sameJson } from "../base/json.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { JobTable } from "../model/jobs.ts";
import type { World } from "../model/world.ts";
import { acting } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type Base, collectBase, copyBase, finishWith, type Numbered, worldOf } from "./expand.ts";
import type { ParsedWorkload } from "./parsed.ts";

const JOBS_COPIED = 300_000;

interface Kept {
  readonly scenario: Scenario;
  readonly trace: ParsedWorkload | undefined;
  readonly base: Base | null;
  readonly numbered: Numbered;
}

export class Expander {
  #kept: Kept | null = null;

  /** The jobs of the last expansion that was kept; another one whose jobs are the same object has the same jobs. */
  get jobs(): JobTable | null {
    return this.#kept?.numbered.jobs ?? null;
  }

  /**
   * As `expand`. `again`: the document differs from the last kept one in interventions, horizon, title and question at most. `keep`: the next one may build
   * on it. O(interventions) where no job changed, O(jobs) copied where one was injected, else as `expand`.
   */
  expand(
    scenario: Scenario,
    trace: ParsedWorkload | undefined,
    again: boolean,
    keep = true,
  ): Result<World, Problem[]> {
    const last = this.#kept;
    const builds =
      again &&
      last !== null &&
      last.trace === trace &&
      last.scenario.horizonMs === scenario.horizonMs;
    const problems: Problem[] = [];
    if (builds && sameJson(injectedIn(last.scenario), injectedIn(scenario))) {
      const world = worldOf(scenario, last.numbered, problems);
      if (world.ok && keep) this.#kept = { ...last, scenario };
      return world;
    }
    const isSame = builds && anySingleton(scenario) === anySingleton(last.scenario);
    const found =
      isSame && last.base !== null
        ? { ok: true as const, value: last.base }
        : collectBase(scenario, trace, problems);
    if (!found.ok) return found;
    const base = found.value;
    const keepsBase = keep && base.draft.length <= JOBS_COPIED && problems.length === 0;
    const before = base === last?.base && base.draft.missing.size === 0 ? last.numbered : null;
    const own = base === last?.base || keepsBase ? copyBase(base, problems, before !== null) : base;
    const numbered = finishWith(scenario, own, problems, before);
    if (!numbered.ok) return numbered;
    const cluster = builds ? last.numbered.cluster : numbered.value.cluster;
    const known = { ...numbered.value, cluster };
    const world = worldOf(scenario, known, problems);
    if (world.ok && keep)
      this.#kept = { scenario, trace, base: keepsBase ? base : null, numbered: known };
    return world;
  }
}

function injectedIn({ interventions }: Scenario): readonly object[] {
  return acting(interventions).flatMap((entry) =>
    entry.kind === "inject" ? [{ atMs: entry.atMs, job: entry.job }] : [],
  );
}

function anySingleton(scenario: Scenario): boolean {
  return acting(scenario.interventions).some(
    (entry) => entry.kind === "inject" && entry.job.singleton === true,
  );
}
