/** What a reader of hand-computed statements hands back, and the texts that all of them read. */
import type { FieldCase } from "../fieldCaseFile.ts";

/** One statement of a case and what the product says to it. */
export interface Statement {
  readonly name: string;
  readonly expected: number | string | boolean;
  readonly came: number | string | boolean;
}

/** The statements that a reader understands of a case; empty: the case is not of its form. */
export type HandReader = (one: FieldCase) => Statement[];

/** Minutes in decimals are compared to so much: speeds of elastic jobs have 18 binary places. */
const NEAR = 1e-3;

export function differs({ expected, came }: Statement): boolean {
  if (typeof expected === "number" && typeof came === "number")
    return Math.abs(expected - came) > NEAR;
  return expected !== came;
}

/** The jobs of a case in words. */
export function jobsInWords({ scenario, hand_computed }: FieldCase): string {
  const said = scenario.jobs_text ?? hand_computed?.["jobs"];
  return typeof said === "string" ? said : "";
}

/** `observed` or `expected` of a case. */
export function side(one: FieldCase, name: "observed" | "expected"): Record<string, unknown> {
  const said = one.hand_computed?.[name];
  return typeof said === "object" && said !== null ? (said as Record<string, unknown>) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The number that the first group of a pattern finds; absent: there is none. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

const NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** `two` or `2`. */
export function countOf(word: string): number {
  const at = NUMBER_WORDS.indexOf(word.toLowerCase());
  return at >= 0 ? at : Number(word);
}
