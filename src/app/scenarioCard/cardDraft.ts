/** The form of the scenario card: what was typed, what is wrong with it, and the document it becomes. Pure. */
import { readCivil } from "../../base/civilDate.ts";
import { clockText, countText } from "../../base/format.ts";
import { LIMITS } from "../../model/limits.ts";
import { HOUR_MS } from "../../model/units.ts";
import { acting } from "../../scenario/interventions.ts";
import type { Scenario } from "../../scenario/schema.ts";

export interface CardDraft {
  readonly title: string;
  readonly question: string;
  readonly seed: number;
  /** The run ends at `horizonMs`; else when its last job has ended. */
  readonly ends: boolean;
  readonly horizonMs: number;
  /** Time 0 is `start`; else days are counted. */
  readonly dated: boolean;
  /** As typed: `2026-03-02 08:00`, with or without seconds. */
  readonly start: string;
}

export type CardErrors = { readonly [K in keyof CardDraft]?: string };

const QUESTION_MOST = 1_000;
/** A Monday: what a calendar is offered to start with. */
const FIRST_START = "2026-03-02 00:00";

/** `runEndMs`: where the run that is shown ends; the end that is offered where the document has none. */
export function cardOf(scenario: Scenario, runEndMs: number): CardDraft {
  const { title, question = "", seed, horizonMs, calendarStart } = scenario;
  return {
    title,
    question,
    seed,
    ends: horizonMs !== undefined,
    horizonMs: horizonMs ?? Math.max(HOUR_MS, Math.ceil(runEndMs / HOUR_MS) * HOUR_MS),
    dated: calendarStart !== undefined,
    start: calendarStart?.replace("T", " ").replace(/:00$/, "") ?? FIRST_START,
  };
}

/** What stands in the way of each field. O(interventions). */
export function cardErrors(draft: CardDraft, scenario: Scenario): CardErrors {
  const errors: { -readonly [K in keyof CardDraft]?: string } = {};
  const title = draft.title.trim();
  if (title === "") errors.title = "Give it a title.";
  else if (title.length > LIMITS.nameLength)
    errors.title = `At most ${LIMITS.nameLength} characters.`;
  if (draft.question.trim().length > QUESTION_MOST)
    errors.question = `At most ${QUESTION_MOST} characters.`;
  if (draft.ends) {
    const late = acting(scenario.interventions).filter(({ atMs }) => atMs > draft.horizonMs);
    const last = Math.max(...late.map(({ atMs }) => atMs));
    if (late.length > 0)
      errors.horizonMs = `${countText(late.length, "change")} would lie behind it, the last at ${clockText(last, scenario.calendarStart)}.`;
  }
  if (draft.dated && readCivil(startOf(draft)) === null)
    errors.start = "Give a day and a time, such as 2026-03-02 08:00.";
  return errors;
}

/** In the notation of the document; seconds may be left out. */
function startOf({ start }: CardDraft): string {
  const typed = start.trim().replace(/\s+/, "T");
  return /T\d\d:\d\d$/.test(typed) ? `${typed}:00` : typed;
}

/** The document with what the card says; the same document where it says nothing new. */
export function withCard(scenario: Scenario, draft: CardDraft): Scenario {
  const { question: _q, horizonMs: _h, calendarStart: _c, ...rest } = scenario;
  const question = draft.question.trim();
  const next: Scenario = {
    ...rest,
    title: draft.title.trim(),
    seed: draft.seed,
    ...(question === "" ? {} : { question }),
    ...(draft.ends ? { horizonMs: draft.horizonMs } : {}),
    ...(draft.dated ? { calendarStart: startOf(draft) } : {}),
  };
  return changedFields(scenario, next).length === 0 ? scenario : next;
}

/** Names of the fields that differ, in the words of the form. */
export function changedFields(before: Scenario, after: Scenario): string[] {
  const names = {
    title: "title",
    question: "question",
    seed: "seed",
    horizonMs: "end of the run",
    calendarStart: "calendar",
  } as const;
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((key) => before[key] !== after[key])
    .map((key) => names[key]);
}
