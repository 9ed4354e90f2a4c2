/**
 * What the comparison of orchestrators is made of: rows that ask one question, each with one small world, and for every column a policy under which that world runs. A cell claims one of the row's
 * outcomes; the suite runs every cell and judges what happened (`test/scenario/orchestrators`), so no cell says what its scenario does not show.
 */
import type { ScenarioInput } from "../schema.ts";

/** Columns in their order. */
export const COLUMNS = [
  "easy",
  "slurm",
  "kube-scheduler",
  "kueue",
  "volcano",
  "kai",
  "ray",
] as const;
export type ColumnId = (typeof COLUMNS)[number];

export type PolicyInput = NonNullable<NonNullable<ScenarioInput["pools"]>[number]["policy"]>;

/** One way in which the world of a row can go. */
export interface Outcome {
  /** A word or two: what the cell shows. */
  readonly word: string;
  /** What is seen on the page, of the jobs of this row's world. */
  readonly look: string;
  /** Yes, partly, or no to the row's question: a mark beside the word. Absent: the question is none of yes and no. */
  readonly mark?: "yes" | "part" | "no";
  /** Of the row's outcomes: what its run looks like where the preset leaves out what the question is about. */
  readonly runsAs?: string;
}

export interface Cell {
  /** Of the row's outcomes: what happens when this cell runs. */
  readonly outcome: string;
  /** One sentence: by which rule or setting of this system. */
  readonly how: string;
  readonly policy: PolicyInput;
  /** It has to be configured: by default nothing of the kind happens. */
  readonly configured?: true;
  /** Other jobs, where this system says in the job what others say in a setting; or another world, where something of the real system is put in by hand. */
  readonly world?: World;
  /** Of what the cell says and its run cannot show. */
  readonly source?: Source;
}

/** A sentence that is often repeated and wrong, and the scenario that shows it. */
export interface Claim {
  readonly claim: string;
  readonly truth: string;
  readonly column: ColumnId;
  /** Absent: the cell of the column in this row shows it. */
  readonly cell?: Cell;
  readonly source: Source;
}

export interface Source {
  readonly name: string;
  readonly link: string;
}

/** A document without its policy. */
export type World = Omit<ScenarioInput, "version" | "pools">;

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly world: World;
  readonly openAt: { readonly cursorMs: number; readonly select: string };
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly cells: Readonly<Record<ColumnId, Cell>>;
  readonly claims: readonly Claim[];
}
