/** The lines of a configuration that a change touches, as a patch that `patch` applies to the files at home. O(lines × lines that differ). */
import { createTwoFilesPatch } from "diff";
import type { SlurmFiles } from "../../scenario/slurm/report.ts";

const NAMES: readonly (readonly [keyof SlurmFiles, string])[] = [
  ["conf", "slurm.conf"],
  ["gres", "gres.conf"],
  ["topology", "topology.conf"],
  ["accounting", "sacctmgr"],
];

/** A unified diff of the texts that differ, one after the other; empty where none does. */
export function slurmPatch(before: SlurmFiles, after: SlurmFiles): string {
  return NAMES.filter(([key]) => before[key] !== after[key])
    .map(([key, name]) =>
      createTwoFilesPatch(name, name, before[key], after[key], undefined, undefined, {
        context: 1,
      }),
    )
    .join("");
}
