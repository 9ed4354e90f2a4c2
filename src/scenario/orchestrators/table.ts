/** The rows of the comparison in the order of the page, and the documents of their cells. */
import type { ScenarioInput } from "../schema.ts";
import type { Cell, ColumnId, PolicyInput, Row, World } from "./cell.ts";
import { gangs } from "./rows/gangs.ts";
import { growing } from "./rows/growing.ts";
import { passing } from "./rows/passing.ts";
import { priorities } from "./rows/priorities.ts";
import { saving } from "./rows/saving.ts";
import { shares } from "./rows/shares.ts";
import { victims } from "./rows/victims.ts";
import type { Saying } from "./sayings/saying.ts";

export const ROWS: readonly Row[] = [gangs, victims, priorities, shares, saving, passing, growing];

/** What the columns are called on this page; a preset's own label says the same where there is one. */
export const COLUMN_LABELS: Readonly<Record<ColumnId, string>> = {
  easy: "Lab, EASY",
  slurm: "Slurm",
  "kube-scheduler": "kube-scheduler",
  kueue: "Kueue",
  volcano: "Volcano",
  kai: "KAI",
  ray: "Ray",
};

/** The document that a cell runs. */
export function documentOf(row: Row, column: ColumnId, cell: Cell): ScenarioInput {
  const { world = row.world } = cell;
  return withTitle(`${row.title}: ${COLUMN_LABELS[column]}`, row.question, world, cell.policy);
}

/** The document that shows what is so instead of what is said. */
export function documentOfSaying({ claim, truth, world, policy }: Saying): ScenarioInput {
  return withTitle(`Often said: ${claim}`, truth, world, policy);
}

function withTitle(
  title: string,
  question: string,
  world: World,
  policy: PolicyInput,
): ScenarioInput {
  return { version: 1, title, question, ...world, pools: [{ id: "all", policy }] };
}
