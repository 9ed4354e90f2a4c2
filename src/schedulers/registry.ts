/** The presets by name. Adding one means a folder here, a line here, and its settings in `scenario/settings.ts`. */
import { assert } from "../base/assert.ts";
import type { Scheduler } from "../engine/view.ts";
import { lab } from "./lab/lab.ts";
import { slurm } from "./slurm/slurm.ts";

const presets: Readonly<Record<string, Scheduler<unknown>>> = {
  lab: lab as Scheduler<unknown>,
  slurm: slurm as Scheduler<unknown>,
};

/** The scheduler of a preset. Names are checked at the door (`scenario/settings.ts`): a wrong one here is a bug and throws. */
export function schedulerOf(name: string): Scheduler<unknown> {
  const scheduler = Object.hasOwn(presets, name) ? presets[name] : undefined;
  assert(scheduler !== undefined, `there is no preset ${name}`);
  return scheduler;
}
