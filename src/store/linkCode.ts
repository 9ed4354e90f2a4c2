/**
 * The code of links, a chunk of its own: packing, hashes and schema walks are no part of what a first picture needs. It is fetched at start, beside what
 * the device has kept, and from then on links are written and read at once.
 */
type Codec = typeof import("../scenario/codec.ts");

let codec: Codec | null = null;

export async function fetchLinkCode(): Promise<void> {
  codec ??= await import("../scenario/codec.ts");
}

/** Null until it has been fetched, or where it could not be. */
export function linkCode(): Codec | null {
  return codec;
}
