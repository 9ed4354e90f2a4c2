/** Texts of a configuration with the others empty, and readings that must succeed or fail. */
import type { Problem } from "../../../src/base/problem.ts";
import type { SlurmConfig } from "../../../src/model/slurm/config.ts";
import { parseSlurm } from "../../../src/scenario/slurm/parse.ts";
import type { ConfigNote, SlurmFiles } from "../../../src/scenario/slurm/report.ts";

const NONE: SlurmFiles = { conf: "", gres: "", topology: "", accounting: "" };

export function filesOf(files: Partial<SlurmFiles>): SlurmFiles {
  return { ...NONE, ...files };
}

function read(files: Partial<SlurmFiles>): ReturnType<typeof parseSlurm> {
  return parseSlurm(filesOf(files));
}

export function parsed(files: Partial<SlurmFiles>): SlurmConfig {
  const result = read(files);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.config;
}

export function notesOf(files: Partial<SlurmFiles>): readonly ConfigNote[] {
  const result = read(files);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.notes;
}

export function problemsOf(files: Partial<SlurmFiles>): readonly Problem[] {
  const result = read(files);
  if (result.ok) throw new Error("the files were expected to be wrong");
  return result.error;
}
