/** By which clock times are shown: what the scenario lets be true, and for what it does not, what is missing. Kept on this device. */

import type { Scenario } from "../../scenario/schema.ts";
import { clockFor, offsetText, readersOffsetMin } from "../../store/clockShown.ts";
import { run } from "../../store/commands.ts";
import { type ClockChoice, useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";

interface Choice {
  readonly value: ClockChoice;
  readonly label: string;
  readonly sentence: string;
}

export function ClockChoices({ onDone }: { readonly onDone: () => void }) {
  const scenario = useApp((state) => state.scenario);
  const chosen = useShell((state) => state.clock);
  if (!scenario) return null;
  const choices = choicesOf(scenario);
  const shown = clockFor(scenario, chosen);
  return (
    <fieldset className="clock-choices">
      <legend>Times are shown</legend>
      {choices.map(({ value, label, sentence }) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name="clock"
            checked={shown === value}
            onChange={() => run("setClock", { choice: value })}
            onKeyDown={(event) => event.key === "Enter" && onDone()}
          />
          <span>
            {label}
            <small>{sentence}</small>
          </span>
        </label>
      ))}
      <p className="field-hint">{whyNoMore(scenario)}</p>
    </fieldset>
  );
}

function choicesOf(scenario: Scenario): readonly Choice[] {
  const { calendarStart, calendarUtcOffsetMin: offsetMin } = scenario;
  const days: Choice = { value: "days", label: "As days", sentence: "Day 1 is the run’s first." };
  if (calendarStart === undefined) return [days];
  const isUtc = offsetMin === 0;
  const own: Choice = {
    value: "own",
    label: isUtc ? "In UTC" : "By the scenario’s calendar",
    sentence:
      offsetMin === undefined
        ? "In a zone of its own."
        : isUtc
          ? "As the log has it."
          : `${offsetText(offsetMin)}, as the log has it.`,
  };
  if (offsetMin === undefined) return [own, days];
  const utc: Choice = { value: "utc", label: "In UTC", sentence: "Coordinated Universal Time." };
  const reader: Choice = {
    value: "reader",
    label: "In your zone",
    sentence: `${zoneName()}${offsetText(readersOffsetMin(scenario))} at the run’s start, and all along.`,
  };
  return [own, ...(isUtc ? [] : [utc]), reader, days];
}

function zoneName(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === undefined || timeZone === "UTC" ? "" : `${timeZone}, `;
}

function whyNoMore({ calendarStart, calendarUtcOffsetMin }: Scenario): string {
  if (calendarStart === undefined)
    return "This scenario has no calendar; “This scenario” (E) gives it one.";
  return calendarUtcOffsetMin === undefined
    ? "Which zone its clock is in is not known, so UTC and yours cannot be told."
    : "";
}
