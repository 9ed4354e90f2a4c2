import { schedulerOf } from "../../src/schedulers/registry.ts";
import { documentWorld } from "../support/documentWorld.ts";
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
  const world = documentWorld(document);
  return runWorld(world, schedulerOf);
}

export function drawScenario({ document, unitMs }: DrawnScenario): string {
  return draw(runDocument(document), unitMs);
}
