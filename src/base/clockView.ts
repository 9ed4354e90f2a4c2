/**
 * By which calendar times are written. Every text of a page follows one choice of its reader (the scenario's calendar, UTC, days that are counted), so the
 * choice stands here, below all that writes and reads times, and nothing has to hand it through. Nobody but a page sets it: elsewhere calendars are as they are.
 */

/** From the start of a scenario's calendar to the start that is shown; `undefined` counts days. */
export type ClockView = (calendarStart: string | undefined) => string | undefined;

let view: ClockView | null = null;

/** `null`: as the scenario says. */
export function setClockView(next: ClockView | null): void {
  view = next;
}

export function shownStart(calendarStart: string | undefined): string | undefined {
  return view === null ? calendarStart : view(calendarStart);
}
