/**
 * The clock. While playing its text is written straight into the page, once a frame at most and without React. A click turns it
 * into a field: type a time, Enter goes there.
 */
import { Suspense, useEffect, useRef, useState } from "react";
import { shownStart } from "../../base/clockView.ts";
import { clockParts } from "../../base/format.ts";
import { readClock } from "../../store/clockEntry.ts";
import { clockFor } from "../../store/clockShown.ts";
import { run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Later, LaterPart } from "../../ui/Later.tsx";

const choices = new LaterPart(async () => (await import("./ClockChoices.tsx")).ClockChoices);

export function Clock() {
  const [typing, setTyping] = useState(false);
  return (
    <div className="clock-wrap">
      {typing ? (
        <ClockEntry onDone={() => setTyping(false)} />
      ) : (
        <ClockFace onEdit={() => setTyping(true)} />
      )}
    </div>
  );
}

function ClockFace({ onEdit }: { readonly onEdit: () => void }) {
  const scenario = useApp((state) => state.scenario);
  const choice = useShell((state) => state.clock);
  const clock = clockFor(scenario, choice);
  const day = useRef<HTMLSpanElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const seconds = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = (): void => {
      const { cursorMs, scenario } = useApp.getState();
      const parts = clockParts(cursorMs, scenario?.calendarStart);
      setText(day.current, parts.day);
      setText(time.current, parts.time);
      setText(seconds.current, `:${parts.seconds}`);
    };
    write();
    return useApp.subscribe((state) => [state.cursorMs, state.scenario] as const, write, {
      equalityFn: (a, b) => a[0] === b[0] && a[1] === b[1],
    });
  }, []);
  return (
    <button
      type="button"
      className="clock"
      aria-label="Go to time"
      title="Click to type a time, or to choose by which clock times are shown"
      onClick={onEdit}
    >
      <span className="clock-day" ref={day} />
      <span className="clock-time">
        <b ref={time} style={{ fontWeight: 400 }} />
        <span ref={seconds} />
      </span>
      {(clock === "utc" || clock === "reader") && (
        <span className="clock-zone">{clock === "utc" ? "UTC" : "yours"}</span>
      )}
    </button>
  );
}

function setText(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** The cursor's time, to be typed over: the time of day where days have dates. */
function entryText(): string {
  const { cursorMs, scenario } = useApp.getState();
  const { day, time } = clockParts(cursorMs, scenario?.calendarStart);
  return shownStart(scenario?.calendarStart) === undefined ? `${day} ${time}` : time;
}

function ClockEntry({ onDone }: { readonly onDone: () => void }) {
  const { cursorMs, scenario } = useApp.getState();
  const [text, setEntry] = useState(entryText);
  const clock = useShell((state) => state.clock);
  // By another clock the same moment reads differently.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written depends on the clock that was chosen.
  useEffect(() => setEntry(entryText()), [clock]);
  const [wrong, setWrong] = useState(false);
  const pressed = useRef(false);
  const go = (): void => {
    const atMs = readClock(text.replaceAll("\u00a0", " "), cursorMs, scenario?.calendarStart);
    if (atMs === null) {
      setWrong(true);
      return;
    }
    run("seek", { atMs });
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
      onMouseDown={() => {
        pressed.current = true;
      }}
      onMouseUp={() => {
        pressed.current = false;
      }}
      onBlur={(event) => {
        // What is pressed in the menu has the focus a moment later.
        if (!pressed.current && !event.currentTarget.contains(event.relatedTarget)) onDone();
        pressed.current = false;
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <input
        className="input clock-entry"
        aria-label="Time to go to"
        aria-invalid={wrong || undefined}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the user just asked to type here.
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setEntry(event.target.value);
          setWrong(false);
        }}
      />
      <div className="clock-menu">
        {wrong && (
          <span className="clock-wrong" role="alert">
            Not a time. Try “Day 2 19:10”, “19:10” or “+2h”.
          </span>
        )}
        <Suspense>
          <Later part={choices} with={{ onDone }} />
        </Suspense>
      </div>
    </form>
  );
}
