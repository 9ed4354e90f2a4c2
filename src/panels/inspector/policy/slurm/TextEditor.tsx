/**
 * A text with line numbers: a plain text area, so that keys, selection, spelling of other languages and screen readers work as
 * everywhere, with a gutter that scrolls with it. A mark beside a number says what the list below says of the line. Of a long text it holds some hundreds of
 * lines (`lineWindow.ts`); Ctrl+A selects, copies and replaces all of it all the same.
 */
import { ChevronDown, ChevronUp } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";
import { useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { numberText } from "../../../../base/format.ts";
import { Button } from "../../../../ui/Button.tsx";
import type { Finding } from "./check.ts";
import {
  countLines,
  fitted,
  heldOf,
  LINES_LEAST,
  LINES_MOST,
  type LineWindow,
  startOfLine,
  windowAround,
} from "./lineWindow.ts";

/** As in the style sheet. */
const LINE_PX = 18;

export interface TextEditorHandle {
  /** Scrolls to a line (from 1); `focus`: and puts the cursor at its start. */
  readonly show: (line: number, focus: boolean) => void;
}

export interface TextEditorProps {
  readonly label: string;
  readonly value: string;
  readonly findings: readonly Pick<Finding, "line" | "kind">[];
  /** The line of the setting at hand; 0 = none. */
  readonly line: number;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<TextEditorHandle>;
}

const MARKS: Readonly<Record<Finding["kind"], string>> = {
  problem: "✕",
  notModelled: "–",
  approximated: "≈",
  ignored: "",
};

export function TextEditor({ label, value, findings, line, onChange, ref }: TextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => countLines(value), [value]);
  const [chosen, setChosen] = useState<LineWindow>({ from: 0, count: 0 });
  const shown = fitted(chosen, lines);
  const { before, held, behind } = useMemo(
    () => heldOf(value, { from: shown.from, count: shown.count }),
    [value, shown.from, shown.count],
  );
  const isPart = shown.count < lines;
  const typed = useRef(held);
  /** What is done once the lines that it is about are here. */
  const then = useRef<((area: HTMLTextAreaElement) => void) | null>(null);
  const [isAll, setIsAll] = useState(false);
  /** `index`: from 0. */
  const show = (index: number, focus: boolean): void => {
    const isHere = index >= shown.from && index < shown.from + shown.count;
    const next = isHere ? shown : windowAround(lines, index);
    const act = (current: HTMLTextAreaElement) => showLine(current, index - next.from, focus);
    if (isHere) {
      if (area.current) act(area.current);
      return;
    }
    then.current = act;
    setChosen(next);
  };
  useImperativeHandle(ref, () => ({
    show: (at, focus) => show(Math.min(at, lines) - 1, focus),
  }));
  // A text that was changed from elsewhere (undo, the form) would leave the cursor at its end.
  useLayoutEffect(() => {
    const { current } = area;
    if (current === null) return;
    if (typed.current !== held && document.activeElement === current) {
      const at = endOfDifference(typed.current, held);
      current.setSelectionRange(at, at);
    }
    typed.current = held;
    then.current?.(current);
    then.current = null;
  }, [held]);
  /** `caret`: where the cursor stands in the new text, where the browser did not put it there itself. */
  const take = (next: string, caret?: number) => {
    const [head, tail] = isAll ? ["", ""] : [before, behind];
    setIsAll(false);
    typed.current = next;
    const count = countLines(next);
    const from = isAll ? 0 : shown.from;
    const isWhole = head === "" && tail === "";
    if (count <= LINES_MOST && caret === undefined && (isWhole || count >= LINES_LEAST))
      setChosen({ from, count });
    else {
      const at = head.length + (caret ?? area.current?.selectionEnd ?? next.length);
      const whole = head + next + tail;
      const atLine = countLines(whole.slice(0, at)) - 1;
      const window = windowAround(countLines(whole), atLine);
      setChosen(window);
      const inHeld = at - startOfLine(whole, window.from);
      then.current = (current) => {
        current.setSelectionRange(inHeld, inHeld);
        showLine(current, atLine - window.from, false);
      };
    }
    onChange(head + next + tail);
  };
  /** Keys that lead out of the lines that are held; the others are the browser's. */
  const onEdge = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isPart) return;
    const { selectionStart, selectionEnd, value: text } = event.currentTarget;
    const to = lineBeyond(event, {
      first: !text.slice(0, selectionStart).includes("\n"),
      last: !text.slice(selectionEnd).includes("\n"),
    });
    if (to === null) return;
    const index = { start: 0, end: lines - 1, up: shown.from - 1, down: shown.from + shown.count }[
      to
    ];
    if (index < 0 || index >= lines) return;
    event.preventDefault();
    show(index, true);
  };
  return (
    <>
      {isPart && <LineBar lines={lines} window={shown} isAll={isAll} onGo={show} />}
      <div className="conf">
        <div className="conf-gutter" ref={gutter} aria-hidden>
          <Numbers window={shown} findings={findings} line={line} />
        </div>
        <textarea
          ref={area}
          className="conf-text"
          aria-label={label}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={held}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          onKeyDown={(event) => {
            const mod = event.ctrlKey || event.metaKey;
            if (isPart && mod && event.key.toLowerCase() === "a") setIsAll(true);
            else if (/^(?:Arrow|Home|End|Page|Esc)/.test(event.key)) setIsAll(false);
            onEdge(event);
          }}
          onPointerDown={() => setIsAll(false)}
          onCopy={(event) => {
            if (!isAll) return;
            event.preventDefault();
            event.clipboardData.setData("text/plain", value);
          }}
          onCut={(event) => {
            if (!isAll) return;
            event.preventDefault();
            event.clipboardData.setData("text/plain", value);
            take("", 0);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData("text/plain").replaceAll(/\r\n?/g, "\n");
            if (!isAll && pasted.length < PASTE_MOST) return;
            // The browser would lay out all of it.
            event.preventDefault();
            const { selectionStart, selectionEnd } = event.currentTarget;
            const [from, to] = isAll ? [0, held.length] : [selectionStart, selectionEnd];
            take(held.slice(0, from) + pasted + held.slice(to), from + pasted.length);
          }}
          onChange={(event) => take(event.target.value)}
        />
      </div>
    </>
  );
}

/** A paste of fewer letters is the browser's. */
const PASTE_MOST = 10_000;

/** Which way a key leads out of a window; null: it does not, or it extends a selection. `at`: the cursor stands on its first or last line. */
function lineBeyond(
  { key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent,
  at: { readonly first: boolean; readonly last: boolean },
): "start" | "end" | "up" | "down" | null {
  if (shiftKey || altKey) return null;
  if (ctrlKey || metaKey) return key === "Home" ? "start" : key === "End" ? "end" : null;
  if (at.first && (key === "ArrowUp" || key === "PageUp")) return "up";
  return at.last && (key === "ArrowDown" || key === "PageDown") ? "down" : null;
}

/** `at`: from 0, among the lines that are held. */
function showLine(area: HTMLTextAreaElement, at: number, focus: boolean): void {
  const top = at * LINE_PX;
  const isSeen = top >= area.scrollTop && top < area.scrollTop + area.clientHeight - LINE_PX;
  if (!isSeen) area.scrollTop = Math.max(0, top - area.clientHeight / 3);
  if (!focus) return;
  const start = startOfLine(area.value, at);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start);
}

interface LineBarProps {
  readonly lines: number;
  readonly window: LineWindow;
  readonly isAll: boolean;
  /** `index`: from 0. */
  readonly onGo: (index: number, focus: boolean) => void;
}

/** Which lines of a long text stand here, and the way to the others. */
function LineBar({ lines, window: { from, count }, isAll, onGo }: LineBarProps) {
  const [line, setLine] = useState("");
  return (
    <div className="conf-bar">
      <span role="status">
        {isAll
          ? `All ${numberText(lines)} lines are selected.`
          : `Lines ${numberText(from + 1)} to ${numberText(from + count)} of ${numberText(lines)}`}
      </span>
      <Button
        label="Lines before"
        icon={ChevronUp}
        look="icon"
        disabledReason={from === 0 ? "these are the first" : null}
        onClick={() => onGo(from - 1, false)}
      />
      <Button
        label="Lines behind"
        icon={ChevronDown}
        look="icon"
        disabledReason={from + count >= lines ? "these are the last" : null}
        onClick={() => onGo(from + count, false)}
      />
      <input
        className="input"
        aria-label="Go to line"
        placeholder="go to line"
        inputMode="numeric"
        value={line}
        onChange={(event) => setLine(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Whatever stands here, it is not what the form around it is sent with.
          event.preventDefault();
          const number = line.replaceAll(/[\s,]/g, "");
          if (/^\d+$/.test(number)) onGo(Math.min(lines, Math.max(1, Number(number))) - 1, true);
        }}
      />
    </div>
  );
}

interface NumbersProps {
  readonly window: LineWindow;
  readonly findings: readonly Pick<Finding, "line" | "kind">[];
  readonly line: number;
}

function Numbers({ window: { from, count }, findings, line }: NumbersProps) {
  const kinds = useMemo(() => {
    const worst = new Map<number, Finding["kind"]>();
    const order: readonly Finding["kind"][] = ["ignored", "approximated", "notModelled", "problem"];
    for (const finding of findings) {
      const known = worst.get(finding.line);
      if (known === undefined || order.indexOf(finding.kind) > order.indexOf(known))
        worst.set(finding.line, finding.kind);
    }
    return worst;
  }, [findings]);
  const numbers = useMemo(
    () => Array.from({ length: count }, (_, index) => from + index + 1).join("\n"),
    [from, count],
  );
  const isHere = (at: number) => at > from && at <= from + count;
  const marked = [...kinds].filter(([at, kind]) => isHere(at) && MARKS[kind] !== "");
  return (
    <>
      <pre>{numbers}</pre>
      {isHere(line) && <LineMark line={line - from} kind="here" mark="▸" />}
      {marked.map(([at, kind]) => (
        <LineMark key={at} line={at - from} kind={kind} mark={MARKS[kind]} />
      ))}
    </>
  );
}

interface LineMarkProps {
  readonly line: number;
  readonly kind: string;
  readonly mark: string;
}

function LineMark({ line, kind, mark }: LineMarkProps) {
  return (
    <i data-kind={kind} style={{ top: (line - 1) * LINE_PX }}>
      {mark}
    </i>
  );
}

/** Where the part that differs ends in `after`. */
function endOfDifference(before: string, after: string): number {
  let tail = 0;
  const most = Math.min(before.length, after.length);
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return after.length - tail;
}
