/** A future on its way from the worker, before and while panels see it. */
import type { Stage } from "../protocol/messages.ts";
import type { Chunk } from "../record/shapes.ts";
import type { Scenario } from "../scenario/schema.ts";
import { ghostAfter } from "./ghost.ts";
import { EMPTY_FUTURE, type Future, runData } from "./runData.ts";

/**
 * What panels see of a run that comes in: all as it comes; nothing before it is whole, because it is the one that is shown already; or nothing, because
 * it is only to be kept beside the one that is shown.
 */
export type Shows = "all" | "whole" | "nothing";

/** Shown as soon as there is something to show. */
export interface Incoming {
  readonly shows: Shows;
  readonly stage: Stage;
  future: Future;
  readonly ghost: Future | null;
  readonly ghostFromMs: number;
  shown: boolean;
}

/**
 * The future of a document that was staged. `kept`: what is known of it already, of the chunks before those that stay valid. `editMs`: the time from which it
 * differs from the one before; null = another scenario altogether.
 */
export function incomingOf(
  scenario: Scenario,
  stage: Stage,
  kept: Partial<Future> & { readonly chunks: readonly Chunk[] },
  editMs: number | null,
  shows: Shows,
): Incoming {
  const { ghost, ghostFromMs } = ghostAfter(stage, shows === "all" ? editMs : null);
  const future: Future = {
    ...EMPTY_FUTURE,
    knownMs: kept.chunks.at(-1)?.toMs ?? 0,
    endMs: editMs === null ? 0 : runData.get().current.endMs,
    ...kept,
    scenario,
    generation: stage.generation,
  };
  return { shows, stage, future, ghost, ghostFromMs, shown: false };
}
