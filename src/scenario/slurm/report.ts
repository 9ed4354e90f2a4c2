/** What a reader of Slurm's files has to say beside the configuration: notes that do not stop it, and problems that do. */
import type { Problem } from "../../base/problem.ts";

/** The texts of a policy, by the names of the document's fields. */
export interface SlurmFiles {
  readonly conf: string;
  readonly gres: string;
  readonly topology: string;
  readonly accounting: string;
}

export type SlurmFileName = "slurm.conf" | "gres.conf" | "topology.conf" | "sacctmgr";

export type NoteKind = "notModelled" | "approximated" | "ignored";

export interface ConfigNote {
  readonly file: SlurmFileName;
  /** From 1. */
  readonly line: number;
  /** The parameter or option. */
  readonly key: string;
  /** `ignored`: harmless, it does not bear on scheduling. */
  readonly kind: NoteKind;
  readonly sentence: string;
}

/** More lines than any person reads; the count of the rest is kept. */
const MOST_NOTES = 2_000;
const MOST_PROBLEMS = 200;

const FILES: readonly SlurmFileName[] = ["slurm.conf", "gres.conf", "topology.conf", "sacctmgr"];

interface Told {
  readonly file: SlurmFileName;
  readonly line: number;
}

/** In the order of the files and their lines; what is said of one line stays in its order. */
function inOrder(a: Told, b: Told): number {
  return FILES.indexOf(a.file) - FILES.indexOf(b.file) || a.line - b.line;
}

/** Collects notes and problems of one reading. */
export class Report {
  readonly #notes: ConfigNote[] = [];
  readonly #problems: (Told & { readonly problem: Problem })[] = [];

  get notes(): ConfigNote[] {
    return this.#notes.toSorted(inOrder);
  }

  get problems(): Problem[] {
    return this.#problems.toSorted(inOrder).map(({ problem }) => problem);
  }

  note(file: SlurmFileName, line: number, key: string, kind: NoteKind, sentence: string): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push({ file, line, key, kind, sentence });
  }

  problem(file: SlurmFileName, line: number, key: string, message: string, remedy: string): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const problem = { place: `${file}:${line}, ${key}`, message, remedy };
    this.#problems.push({ file, line, problem });
  }
}

/** A configuration while it is being read: the same fields, open for writing. */
export type Draft<T> = T extends readonly (infer E)[]
  ? E[]
  : T extends object
    ? { -readonly [K in keyof T]: T[K] }
    : T;
