/**
 * The clock. While playing its text is written straight into the page, once a frame at most and without React. A click turns it
 * into a field: type a time, Enter goes there.
 */
import { useEffect, useRef, useState } from "react";
import { clockParts } from "../../base/format.ts";
import { readClock } from "../../store/clockEntry.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";

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
      title="Click to type a time"
      onClick={onEdit}
    >
      <span className="clock-day" ref={day} />
      <span className="clock-time">
        <b ref={time} style={{ fontWeight: 400 }} />
        <span ref={seconds} />
      </span>
    </button>
  );
}

function setText(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function ClockEntry({ onDone }: { readonly onDone: () => void }) {
  const { cursorMs, scenario } = useApp.getState();
  const parts = clockParts(cursorMs, scenario?.calendarStart);
  const [text, setEntry] = useState(
    scenario?.calendarStart ? parts.time : `${parts.day} ${parts.time}`,
  );
  const [wrong, setWrong] = useState(false);
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
    <>
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
        onBlur={onDone}
        onKeyDown={(event) => {
          if (event.key === "Enter") go();
          if (event.key === "Escape") onDone();
        }}
      />
      {wrong && (
        <span className="clock-wrong" role="alert">
          Not a time. Try “Day 2 19:10”, “19:10” or “+2h”.
        </span>
      )}
    </>
  );
}
