/**
 * Text files as they come: with a byte order mark, as UTF-16 (spreadsheets, Windows tools), or in an encoding of one byte. Readers
 * behind this file see UTF-8 without a mark.
 */

/** Bytes looked at to tell UTF-16 without a mark: such text of a log or of JSON has a zero in nearly every second byte. */
const SAMPLE_BYTES = 512;
const ZEROS_LEAST = 0.4;

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const length = Math.min(SAMPLE_BYTES, bytes.length);
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1]!++;
  const most = ZEROS_LEAST * length;
  if (zeros[1]! >= most && zeros[0] === 0) return "utf-16le";
  if (zeros[0]! >= most && zeros[1] === 0) return "utf-16be";
  return "utf-8";
}

/** The same text as UTF-8 without a byte order mark; the same bytes where they are that already. O(bytes). */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const encoding = encodingOf(bytes);
  if (encoding !== "utf-8")
    return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

export interface Decoded {
  readonly text: string;
  /** Some bytes are no UTF-8: they were read as Windows-1252, as old files of western Europe are. */
  readonly guessed: boolean;
}

/** The text of a small file whose letters matter. O(bytes). */
export function decodeText(bytes: Uint8Array): Decoded {
  const utf8 = asUtf8(bytes);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(utf8), guessed: false };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(utf8), guessed: true };
  }
}
