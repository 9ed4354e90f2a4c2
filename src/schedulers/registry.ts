/** The presets by name. Adding one means a folder here, a line here, and its settings in `scenario/settings.ts`. */
import { assert } from "../base/assert.ts";
import type { Scheduler } from "../engine/view.ts";
import { lab } from "./lab/lab.ts";

const presets: Readonly<Record<string, Scheduler<unknown>>> = {
  lab: lab as Scheduler<unknown>,
};

export const PRESET_NAMES: readonly string[] = Object.keys(presets);

/** The scheduler of a preset; `undefined` for a name that there is not. */
export function presetOf(name: string): Scheduler<unknown> | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}

/** The same for a name that has been checked at the door; a wrong one is a bug. */
export function schedulerOf(name: string): Scheduler<unknown> {
  const scheduler = presetOf(name);
  assert(scheduler !== undefined, `there is no preset ${name}`);
  return scheduler;
}
