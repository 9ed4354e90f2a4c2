/**
 * Whole scenarios drawn in `docs/policies/`: a fenced block `scenario` with `unit=SECONDS` of a column, a document, a line `---`, and the drawing. Nothing beyond what a
 * file may say is used: what is drawn is what a reader of the page gets.
 */
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";
import { draw, type Outcome, runWorld } from "../support/draw.ts";

export interface DrawnScenario {
  readonly title: string;
  readonly unitMs: number;
  readonly document: unknown;
  readonly drawing: string;
}

/** All scenarios of a page, each titled by the line before its block. */
export function scenariosIn(markdown: string): DrawnScenario[] {
  const blocks = markdown.matchAll(
    /([^\n]*)\n+```scenario unit=(\d+)\n([\s\S]*?)\n---\n([\s\S]*?)\n```/g,
  );
  return [...blocks].map(([, title, unit, text, drawing]) => ({
    title: title!.trim(),
    unitMs: Number(unit) * 1_000,
    document: JSON.parse(text!),
    drawing: drawing!,
  }));
}

/** Runs a document to its end. Throws with its problems where it has some. */
export function runDocument(document: unknown): Outcome {
  const read = readScenario(document);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const world = expand(read.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  return runWorld(world.value, schedulerOf);
}

export function drawScenario({ document, unitMs }: DrawnScenario): string {
  return draw(runDocument(document), unitMs);
}
