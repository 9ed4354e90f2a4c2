/**
 * A text with line numbers: a plain text area, so that keys, selection, spelling of other languages and screen readers work as
 * everywhere, with a gutter that scrolls with it. A mark beside a number says what the list below says of the line.
 */
import type { Ref } from "react";
import { useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import type { Finding } from "./check.ts";

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
  const typed = useRef(value);
  useImperativeHandle(ref, () => ({
    show: (at, focus) => {
      const { current } = area;
      if (current === null) return;
      const top = (at - 1) * LINE_PX;
      const isSeen =
        top >= current.scrollTop && top < current.scrollTop + current.clientHeight - LINE_PX;
      if (!isSeen) current.scrollTop = Math.max(0, top - current.clientHeight / 3);
      if (!focus) return;
      const start = startOfLine(current.value, at);
      current.focus({ preventScroll: true });
      current.setSelectionRange(start, start);
    },
  }));
  // A text that was changed from elsewhere (undo, the form) would leave the cursor at its end.
  useLayoutEffect(() => {
    const { current } = area;
    if (current !== null && typed.current !== value && document.activeElement === current) {
      const at = endOfDifference(typed.current, value);
      current.setSelectionRange(at, at);
    }
    typed.current = value;
  }, [value]);
  return (
    <div className="conf">
      <div className="conf-gutter" ref={gutter} aria-hidden>
        <Numbers count={countLines(value)} findings={findings} line={line} />
      </div>
      <textarea
        ref={area}
        className="conf-text"
        aria-label={label}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={value}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
        onChange={(event) => {
          typed.current = event.target.value;
          onChange(event.target.value);
        }}
      />
    </div>
  );
}

interface NumbersProps {
  readonly count: number;
  readonly findings: readonly Pick<Finding, "line" | "kind">[];
  readonly line: number;
}

function Numbers({ count, findings, line }: NumbersProps) {
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
  const marked = [...kinds].filter(([at, kind]) => at <= count && MARKS[kind] !== "");
  return (
    <>
      <pre>{Array.from({ length: count }, (_, index) => index + 1).join("\n")}</pre>
      {line > 0 && line <= count && <LineMark line={line} kind="here" mark="▸" />}
      {marked.map(([at, kind]) => (
        <LineMark key={at} line={at} kind={kind} mark={MARKS[kind]} />
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

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Where a line begins, from 1. */
function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number += 1) {
    const next = text.indexOf("\n", at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}

/** Where the part that differs ends in `after`. */
function endOfDifference(before: string, after: string): number {
  let tail = 0;
  const most = Math.min(before.length, after.length);
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return after.length - tail;
}
