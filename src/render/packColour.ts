/** A colour as one 32-bit pixel of `ImageData`, in the byte order of this machine. */
import { parseColour } from "../theme/colour.ts";

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Opaque; a text that is no colour is black. O(1). */
export function packColour(text: string): number {
  const [red, green, blue] = parseColour(text).map((part) => Math.round(part)) as [
    number,
    number,
    number,
  ];
  return littleEndian
    ? ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
    : ((red << 24) | (green << 16) | (blue << 8) | 255) >>> 0;
}
