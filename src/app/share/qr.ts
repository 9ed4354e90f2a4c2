/**
 * A link as a QR code, at the lowest level of correction: a screen has no stains, and a finer code is harder to read than a dirty one. A code holds at most
 * 2,953 bytes; from about 1,000 on a telephone needs a large picture and a steady hand.
 */
import { encode } from "uqr";

/** Version 40 at level L. */
export const QR_BYTES_MOST = 2_953;
export const QR_BYTES_EASY = 1_000;
/** The standard asks for four modules of ground around the code. */
const QUIET = 4;

export interface QrPicture {
  /** Side in modules, quiet zone included. */
  readonly side: number;
  /** Path of the dark modules, for an SVG of `side` × `side`. */
  readonly path: string;
}

/** Null where the text is too long for a code. */
export function qrPicture(text: string): QrPicture | null {
  if (new TextEncoder().encode(text).length > QR_BYTES_MOST) return null;
  const { data, size } = encode(text, { ecc: "L", border: 0 });
  const path: string[] = [];
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      path.push(`M${from + QUIET} ${y + QUIET}h${x - from + 1}v1h-${x - from + 1}z`);
    }
  });
  return { side: size + 2 * QUIET, path: path.join("") };
}
