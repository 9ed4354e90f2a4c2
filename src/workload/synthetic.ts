/** Drawn jobs. */
import type { Problem } from "../base/problem.ts";
import { ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Names } from "./explicitJobs.ts";
import type { JobDraft } from "./jobDraft.ts";

export function draftSynthetic(_draft: JobDraft, _names: Names, _scenario: Scenario): Result<null, Problem[]> {
  return ok(null);
}
