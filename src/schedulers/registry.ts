/**
 * The presets by name. The lab is always there; the others are added by the program that has them (`cli/presets.ts`, `worker/presets.ts`),
 * so that a page fetches a scheduler only when a scenario asks for it. Adding one means a folder here, its settings in
 * `scenario/settings.ts`, and a line in both programs.
 */
import { assert } from "../base/assert.ts";
import type { Scheduler } from "../engine/view.ts";
import { lab } from "./lab/lab.ts";

const presets = new Map<string, Scheduler<unknown>>([["lab", lab as Scheduler<unknown>]]);

/** Makes a preset known from now on. */
export function addScheduler<S>(name: string, scheduler: Scheduler<S>): void {
  presets.set(name, scheduler as Scheduler<unknown>);
}

/** Whether a preset is here. */
export function hasScheduler(name: string): boolean {
  return presets.has(name);
}

/** The scheduler of a preset. Names are checked at the door (`scenario/settings.ts`): a wrong one here is a bug and throws. */
export function schedulerOf(name: string): Scheduler<unknown> {
  const scheduler = presets.get(name);
  assert(scheduler !== undefined, `there is no preset ${name}`);
  return scheduler;
}
