/**
 * By which clock this device shows times: the scenario's own, UTC, the reader's, or days that are counted. UTC and the reader's can be told only where the
 * document says how far its calendar is ahead of UTC; elsewhere the scenario's own is shown, and the choice waits for a scenario that says it. Offsets
 * are constant over a run (the reader's is that of its start), so that a clock never jumps.
 */
import { civilLater, readCivil } from "../base/civilDate.ts";
import { type ClockView, setClockView } from "../base/clockView.ts";
import type { Scenario } from "../scenario/schema.ts";
import { readDevice, writeDevice } from "./device.ts";
import { CLOCKS, type ClockChoice, useShell } from "./shellState.ts";
import { useApp } from "./store.ts";

const KEY = "queuescope.clock";

/** What was chosen on this device, from now on for each scenario that is opened. */
export function restoreClock(): void {
  const kept = CLOCKS.find((choice) => choice === readDevice(KEY)) ?? "own";
  useShell.setState({ clock: kept });
  apply(useApp.getState().scenario);
  useApp.subscribe((state) => state.scenario, apply);
}

export function chooseClock(choice: ClockChoice): void {
  writeDevice(KEY, choice);
  useShell.setState({ clock: choice });
  apply(useApp.getState().scenario);
}

/** The choice as far as a scenario lets it be true. */
export function clockFor(scenario: Scenario | null, choice: ClockChoice): ClockChoice {
  if (scenario?.calendarStart === undefined) return "days";
  const placed = scenario.calendarUtcOffsetMin !== undefined;
  return choice === "days" || placed ? choice : "own";
}

function apply(scenario: Scenario | null): void {
  setClockView(viewOf(scenario, useShell.getState().clock));
}

function viewOf(scenario: Scenario | null, choice: ClockChoice): ClockView | null {
  const shown = clockFor(scenario, choice);
  const offsetMin = scenario?.calendarUtcOffsetMin ?? 0;
  if (shown === "days") return () => undefined;
  if (shown === "own" || scenario?.calendarStart === undefined) return null;
  const byMin = (shown === "reader" ? readersOffsetMin(scenario) : 0) - offsetMin;
  let last: { readonly from: string; readonly to: string } | null = null;
  return (start) => {
    if (start === undefined) return undefined;
    // Texts of one run ask for one start, very often.
    if (last?.from !== start) last = { from: start, to: civilLater(start, byMin) };
    return last.to;
  };
}

/** How far the reader's clock is ahead of UTC at the start of the run, in minutes. */
export function readersOffsetMin({ calendarStart, calendarUtcOffsetMin }: Scenario): number {
  const start = calendarStart === undefined ? null : readCivil(calendarStart);
  if (start === null) return 0;
  const utcMs = start.dayNumber * 86_400_000 + start.ofDayMs - (calendarUtcOffsetMin ?? 0) * 60_000;
  // West is positive there; and 0 has no sign here.
  return 0 - new Date(utcMs).getTimezoneOffset();
}

/** "UTC", "UTC+1", "UTC−3:30". */
export function offsetText(minutes: number): string {
  if (minutes === 0) return "UTC";
  const ahead = Math.abs(minutes);
  const rest = ahead % 60 === 0 ? "" : `:${String(ahead % 60).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "\u2212" : "+"}${Math.floor(ahead / 60)}${rest}`;
}
