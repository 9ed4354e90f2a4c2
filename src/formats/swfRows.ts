/**
 * Walks the rows of an SWF file straight over its bytes: no line, no field and no number becomes a string, so a million rows
 * cost a million small loops. Blanks and tabs separate fields; lines that open with `;` are header; CR is ignored.
 */
export const SWF_FIELDS = 18;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const SEMICOLON = 59;

export interface SwfRow {
  /** Fields 1 to 18 at 0 to 17; −1 where the row is shorter. */
  readonly fields: Float64Array;
  /** Fields found, those behind the eighteenth included. */
  fieldCount: number;
  /** False where one of the first eighteen fields is no number. */
  numeric: boolean;
  /** Line of the file, from 1. */
  line: number;
}

/** Calls `onRow` for each line of data (the row object is reused) and `onHeader` for each header line. O(bytes). */
export function walkSwf(
  bytes: Uint8Array,
  onRow: (row: SwfRow) => void,
  onHeader: (text: string) => void,
): void {
  const row: SwfRow = {
    fields: new Float64Array(SWF_FIELDS),
    fieldCount: 0,
    numeric: true,
    line: 0,
  };
  const decoder = new TextDecoder();
  let from = 0;
  while (from < bytes.length) {
    let end = bytes.indexOf(LF, from);
    if (end < 0) end = bytes.length;
    row.line++;
    const start = skipBlanks(bytes, from, end);
    if (start < end) {
      if (bytes[start] === SEMICOLON)
        onHeader(decoder.decode(bytes.subarray(start + 1, end)).trim());
      else {
        readRow(bytes, start, end, row);
        onRow(row);
      }
    }
    from = end + 1;
  }
}

function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}

function readRow(bytes: Uint8Array, from: number, end: number, row: SwfRow): void {
  row.fields.fill(-1);
  row.fieldCount = 0;
  row.numeric = true;
  let at = from;
  while (at < end) {
    let stop = at;
    while (stop < end && !isBlank(bytes[stop]!)) stop++;
    if (row.fieldCount < SWF_FIELDS) {
      const value = readNumber(bytes, at, stop);
      if (Number.isNaN(value)) row.numeric = false;
      else row.fields[row.fieldCount] = value;
    }
    row.fieldCount++;
    at = skipBlanks(bytes, stop, end);
  }
}

/** A decimal number, or NaN. Digits are summed as an integer and divided once, which is exact for what logs contain. */
function readNumber(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  let digits = 0;
  let scale = 1;
  let value = 0;
  let afterDot = false;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === DOT && !afterDot) {
      afterDot = true;
      continue;
    }
    if (byte < ZERO || byte > NINE) return otherNumber(bytes, from, end);
    digits++;
    value = value * 10 + (byte - ZERO);
    if (afterDot) scale *= 10;
  }
  if (digits === 0) return Number.NaN;
  if (digits > 15) return otherNumber(bytes, from, end);
  return (negative ? -value : value) / scale;
}

/** The rare forms: exponents and very long numbers. */
function otherNumber(bytes: Uint8Array, from: number, end: number): number {
  const text = new TextDecoder().decode(bytes.subarray(from, end));
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
